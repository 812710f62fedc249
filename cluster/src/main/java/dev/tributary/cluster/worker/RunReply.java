package dev.tributary.cluster.worker;

import dev.tributary.cluster.protocol.NamedTensor;
import dev.tributary.cluster.protocol.RunGraphResponse;
import dev.tributary.error.TributaryException;
import dev.tributary.rendezvous.Rendezvous;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * What one RunGraph call gets: a value for each of its keys. It is complete when all values are
 * there and, if the call ends its step, when the graph has ended as well. If the graph fails, so
 * does the call, and values it already had are given back. Guarded by its own monitor.
 *
 * <p>A failed request for a value waits for the end of the graph: the rendezvous fails because the
 * graph did, and only the graph knows why.
 */
final class RunReply {
  private final List<String> keys;
  private final boolean awaitsEnd;
  private final Tensor[] values;
  private final Function<List<NamedTensor>, RunGraphResponse> response;
  private final CompletableFuture<RunGraphResponse> result = new CompletableFuture<>();
  private int missing;
  private boolean settled;
  private Optional<RuntimeException> failure = Optional.empty();

  /**
   * @param response makes the answer of a call that succeeds
   */
  RunReply(
      List<String> keys,
      boolean awaitsEnd,
      Function<List<NamedTensor>, RunGraphResponse> response) {
    this.keys = keys;
    this.awaitsEnd = awaitsEnd;
    this.response = response;
    this.values = new Tensor[keys.size()];
    this.missing = keys.size();
  }

  /** The values belong to whoever takes them. */
  CompletableFuture<RunGraphResponse> result() {
    return result;
  }

  /** Asks for all values. */
  void receiveFrom(Rendezvous rendezvous) {
    for (int i = 0; i < keys.size(); i++) {
      int index = i;
      rendezvous.receive(
          keys.get(i),
          new Rendezvous.Receiver() {
            @Override
            public void received(Optional<Tensor> value) {
              arrived(index, value);
            }

            @Override
            public void failed(RuntimeException reason) {
              fail(reason);
            }
          });
    }
    if (keys.isEmpty() && !awaitsEnd) {
      settle(false);
    }
  }

  /** The graph has ended: what has not been sent by now never will be. */
  void ended(Optional<RuntimeException> graphFailure) {
    synchronized (this) {
      if (graphFailure.isPresent()) {
        failure = graphFailure;
      } else if (failure.isEmpty() && missing > 0) {
        failure = Optional.of(neverSent());
      }
    }
    settle(true);
  }

  private void arrived(int index, Optional<Tensor> value) {
    boolean tooLate;
    boolean complete;
    synchronized (this) {
      tooLate = settled;
      if (!tooLate && value.isPresent()) {
        values[index] = value.get();
        missing--;
      } else if (!tooLate) {
        fail(dead(keys.get(index)));
      }
      complete = missing == 0 && !awaitsEnd;
    }
    if (tooLate) {
      value.ifPresent(Tensor::close);
    } else if (complete) {
      settle(false);
    }
  }

  private synchronized void fail(RuntimeException reason) {
    if (failure.isEmpty()) {
      failure = Optional.of(reason);
    }
  }

  /** Completes the result, once. */
  private void settle(boolean graphEnded) {
    List<NamedTensor> received;
    Optional<RuntimeException> problem;
    synchronized (this) {
      if (settled || (failure.isPresent() && !graphEnded)) {
        return;
      }
      settled = true;
      problem = failure;
      received = named();
    }
    if (problem.isPresent()) {
      received.forEach(value -> value.tensor().close());
      result.completeExceptionally(problem.get());
    } else {
      result.complete(response.apply(received));
    }
  }

  private List<NamedTensor> named() {
    List<NamedTensor> received = new ArrayList<>(keys.size());
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        received.add(new NamedTensor(keys.get(i), values[i]));
      }
    }
    return received;
  }

  private TributaryException neverSent() {
    List<String> unsent = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        unsent.add(keys.get(i));
      }
    }
    return TributaryException.invalidArgument("no node of the graph sends %s", unsent);
  }

  private static TributaryException dead(String key) {
    return TributaryException.invalidArgument("The tensor returned for %s was not valid.", key);
  }
}
