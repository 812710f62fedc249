package dev.tributary.internal.step;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The values that one call takes out of a step's rendezvous. It is complete when all values are
 * there and, if the call ends its step, when the graph has ended as well. If the graph fails, so
 * does the call, and values it already had are given back. Guarded by its own monitor.
 *
 * <p>A failed request for a value waits for the end of the graph: the rendezvous fails because the
 * graph did, and only the graph knows why.
 */
public final class RunReply {
  private final List<RendezvousKey> keys;
  private final boolean awaitsEnd;

  @GuardedBy("this")
  private final Tensor[] values;

  private final CompletableFuture<List<Tensor>> result = new CompletableFuture<>();

  @GuardedBy("this")
  private int missing;

  @GuardedBy("this")
  private boolean settled;

  @GuardedBy("this")
  private Optional<RuntimeException> failure = Optional.empty();

  /**
   * @param awaitsEnd whether the call ends its step
   */
  public RunReply(List<RendezvousKey> keys, boolean awaitsEnd) {
    this.keys = keys;
    this.awaitsEnd = awaitsEnd;
    this.values = new Tensor[keys.size()];
    this.missing = keys.size();
  }

  /** The values in the order of the keys; they belong to whoever takes them. */
  public CompletableFuture<List<Tensor>> result() {
    return result;
  }

  /** Asks for all values. */
  public void receiveFrom(Rendezvous rendezvous) {
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
      settle();
    }
  }

  /** The graph has ended: what has not been sent by now never will be. */
  public void ended(Optional<RuntimeException> graphFailure) {
    synchronized (this) {
      if (graphFailure.isPresent()) {
        failure = graphFailure;
      } else if (failure.isEmpty() && missing > 0) {
        failure = Optional.of(neverSent());
      }
    }
    settle();
  }

  private void arrived(int index, Optional<Tensor> value) {
    boolean tooLate;
    boolean decided;
    synchronized (this) {
      tooLate = settled;
      if (!tooLate && value.isPresent()) {
        values[index] = value.get();
        missing--;
      } else if (!tooLate) {
        fail(dead(keys.get(index)));
      }
      decided = !awaitsEnd && (value.isEmpty() || missing == 0 && failure.isEmpty());
    }
    if (tooLate) {
      value.ifPresent(Tensor::close);
    } else if (decided) {
      settle();
    }
  }

  private synchronized void fail(RuntimeException reason) {
    if (failure.isEmpty()) {
      failure = Optional.of(reason);
    }
  }

  /** Completes the result, once. */
  private void settle() {
    List<Tensor> received = new ArrayList<>(keys.size());
    Optional<RuntimeException> problem;
    synchronized (this) {
      if (settled) {
        return;
      }
      settled = true;
      problem = failure;
      for (Tensor value : values) {
        if (value != null) {
          received.add(value);
        }
      }
    }
    if (problem.isPresent()) {
      received.forEach(Tensor::close);
      result.completeExceptionally(problem.get());
    } else {
      result.complete(received);
    }
  }

  @GuardedBy("this")
  private TributaryException neverSent() {
    List<RendezvousKey> unsent = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        unsent.add(keys.get(i));
      }
    }
    return TributaryException.invalidArgument("no node of the graph sends %s", unsent);
  }

  private static TributaryException dead(RendezvousKey key) {
    return TributaryException.invalidArgument("The tensor returned for %s was not valid.", key);
  }
}
