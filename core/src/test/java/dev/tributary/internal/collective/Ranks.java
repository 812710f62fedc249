package dev.tributary.internal.collective;

import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.kernel.CollectiveExecutor;
import dev.tributary.internal.kernel.CollectiveKind;
import dev.tributary.internal.kernel.CollectiveReduction;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.RingCut;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/**
 * The members of one group in this process, as devices of several tasks, which run one collective
 * after another. Whoever makes it closes it.
 */
final class Ranks implements AutoCloseable {
  private static final long LIMIT_SECONDS = 20;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private final List<Device> devices = new ArrayList<>();
  private final boolean isOurs;
  private final UnaryOperator<ChunkTransport> faults;
  private final CollectiveGroups groups = new CollectiveGroups(ThreadTimer.shared());
  private final LocalRendezvous rendezvous = new LocalRendezvous();
  private int instance;

  /**
   * @param tasks the number of devices of each task
   * @param isOurs whether the members know of each other that they are ours
   * @param faults changes the way of chunks
   */
  Ranks(List<Integer> tasks, boolean isOurs, UnaryOperator<ChunkTransport> faults) {
    this.isOurs = isOurs;
    this.faults = faults;
    for (int task = 0; task < tasks.size(); task++) {
      for (int number = 0; number < tasks.get(task); number++) {
        devices.add(
            new Device(
                "/job:worker/replica:0/task:" + task + "/device:CPU:" + number,
                Allocator.shared(),
                new PlainBackend(ParallelFor.INLINE),
                new ResourceContainers()));
      }
    }
  }

  int count() {
    return devices.size();
  }

  /** A collective; {@code inputs} are retained, and the results are the caller's. */
  List<Tensor> run(
      CollectiveKind kind, CollectiveReduction reduction, List<Tensor> inputs, int source)
      throws Exception {
    List<CompletableFuture<Tensor>> results = start(kind, reduction, inputs, source);
    List<Tensor> values = new ArrayList<>();
    for (CompletableFuture<Tensor> result : results) {
      values.add(await(result));
    }
    return values;
  }

  /** Begins a collective on all ranks. */
  List<CompletableFuture<Tensor>> start(
      CollectiveKind kind, CollectiveReduction reduction, List<Tensor> inputs, int source) {
    instance++;
    ChunkTransport chunks = faults.apply(new RendezvousChunks(rendezvous));
    Collectives collectives = new Collectives(runtime(), chunks);
    List<CompletableFuture<Tensor>> results = new ArrayList<>();
    for (int rank = 0; rank < count(); rank++) {
      results.add(
          start(collectives, call(kind, reduction, inputs.get(rank), rank, rank == source)));
    }
    return results;
  }

  private static CompletableFuture<Tensor> start(Collectives collectives, CollectiveCall call) {
    CompletableFuture<Tensor> result = new CompletableFuture<>();
    collectives.run(
        call,
        new Cancellation(),
        new CollectiveExecutor.Completion() {
          @Override
          public void succeed(Tensor output) {
            result.complete(output);
          }

          @Override
          public void fail(RuntimeException failure) {
            result.completeExceptionally(failure);
          }
        });
    return result;
  }

  /** Waits for the result of a rank; fails as it failed, or if it hangs. */
  static Tensor await(CompletableFuture<Tensor> result) throws Exception {
    try {
      return result.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    } catch (TimeoutException e) {
      throw new AssertionError("a rank hangs", e);
    }
  }

  /** Fails all that ranks still wait for, as the end of a step does. */
  void abort(RuntimeException reason) {
    rendezvous.abort(reason);
  }

  boolean isEmpty() {
    return rendezvous.isEmpty();
  }

  @Override
  public void close() {
    rendezvous.close();
  }

  private CollectiveRuntime runtime() {
    return new CollectiveRuntime(
        new CollectiveResolver() {
          @Override
          public CompletableFuture<CollectiveGroup> group(GroupRequest request) {
            return groups.group(
                new GroupRequest(
                    request.key(),
                    request.size(),
                    request.deviceType(),
                    new CollectiveMember(
                        request.member().device(), request.member().incarnation(), isOurs),
                    request.limit()));
          }

          @Override
          public CompletableFuture<Integer> instance(InstanceRequest request) {
            return groups.instance(request);
          }
        },
        Map.of(),
        ThreadTimer.shared(),
        LIMIT);
  }

  private CollectiveCall call(
      CollectiveKind kind, CollectiveReduction reduction, Tensor input, int rank, boolean source) {
    Shape shape = input.shape();
    boolean isBroadcast = kind == CollectiveKind.BROADCAST;
    Tensor output = source ? SharedTensors.share(input) : allocate(input, outputShape(kind, shape));
    return new CollectiveCall(
        "node" + rank,
        kind,
        new CollectiveCall.Keys(1, count(), instance, 0, 0),
        input.type(),
        shape,
        reduction,
        RingCut.SINGLE,
        source,
        Optional.empty(),
        devices.get(rank),
        Runnable::run,
        isBroadcast ? Optional.empty() : Optional.of(SharedTensors.share(input)),
        output);
  }

  private Shape outputShape(CollectiveKind kind, Shape shape) {
    return switch (kind) {
      case GATHER -> shape.withSize(0, shape.size(0) * count());
      case REDUCE_SCATTER -> shape.withSize(0, shape.size(0) / count());
      default -> shape;
    };
  }

  private static Tensor allocate(Tensor like, Shape shape) {
    return SharedTensors.allocate(Allocator.shared(), like.type(), shape);
  }
}
