package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.memory.ElementHeap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/**
 * The surroundings of the iterators of one initialised pipeline: its device, the threads for work
 * in the background, and the way to end everything that is under way. Safe for use by many threads.
 */
final class IteratorContext {
  /** The state that all parts of the pipeline share. */
  private record Pipeline(
      Device device,
      Executor pool,
      ElementHeap heap,
      Map<Object, Object> kept,
      BackgroundWork background) {}

  private final Pipeline pipeline;
  private final Cancellation cancellation;
  private final Runnable unlink;
  private final StageCounters counters;

  /** Stages between the consumer and the end of the longest chain that is open. */
  private final int stages;

  private final Optional<Sharding> sharding;

  IteratorContext(Device device, Executor pool) {
    this(
        new Pipeline(
            device,
            pool,
            ElementHeap.ofPipelines(device.allocator().budget()),
            new ConcurrentHashMap<>(),
            new BackgroundWork()),
        new Cancellation(),
        () -> {},
        new StageCounters("pipeline"),
        0,
        Optional.empty());
  }

  private IteratorContext(
      Pipeline pipeline,
      Cancellation cancellation,
      Runnable unlink,
      StageCounters counters,
      int stages,
      Optional<Sharding> sharding) {
    this.pipeline = pipeline;
    this.cancellation = cancellation;
    this.unlink = unlink;
    this.counters = counters;
    this.stages = stages;
    this.sharding = sharding;
  }

  /** The same pipeline, for a part of it that can end earlier. */
  IteratorContext child() {
    Cancellation own = new Cancellation();
    Runnable link = () -> own.cancel(closed());
    cancellation.onCancel(link);
    return new IteratorContext(
        pipeline, own, () -> cancellation.forget(link), counters, stages, sharding);
  }

  /** The same pipeline, for a stage with these counters. */
  IteratorContext in(StageCounters stage) {
    return new IteratorContext(pipeline, cancellation, unlink, stage, stages, sharding);
  }

  /** The counters of the stage whose surroundings these are. */
  StageCounters counters() {
    return counters;
  }

  /**
   * The same pipeline, for a dataset that one of its stages opens.
   *
   * @param more the stages of that dataset
   */
  IteratorContext deeper(int more) {
    Dataset.requireStages(stages + more);
    return new IteratorContext(pipeline, cancellation, unlink, counters, stages + more, sharding);
  }

  /** The same pipeline, for datasets of which one worker gets a share. */
  IteratorContext sharded(Sharding share) {
    return new IteratorContext(
        pipeline, cancellation, unlink, counters, stages, Optional.of(share));
  }

  Optional<Sharding> sharding() {
    return sharding;
  }

  Device device() {
    return pipeline.device();
  }

  /** The work of the stages while nobody asks for an element. */
  BackgroundWork background() {
    return pipeline.background();
  }

  /** The heap for elements in buffers and for passes. */
  ElementHeap heap() {
    return pipeline.heap();
  }

  Cancellation cancellation() {
    return cancellation;
  }

  /** Ends what is under way: every open request is answered soon. */
  void cancel() {
    cancellation.cancel(closed());
    unlink.run();
  }

  /** Ends what the passes share, when none is left. */
  void release() {
    pipeline.kept().values().forEach(IteratorContext::close);
  }

  private static void close(Object shared) {
    if (shared instanceof MemoryCache cache) {
      cache.close();
    }
  }

  static TributaryException closed() {
    return TributaryException.cancelled("the iterator was closed or initialised again");
  }

  /** State that all passes over a dataset in this pipeline share, if they have the same share. */
  @SuppressWarnings("unchecked")
  <T> T shared(Object key, Supplier<T> make) {
    Object own = sharding.<Object>map(share -> List.of(key, share)).orElse(key);
    return (T) pipeline.kept().computeIfAbsent(own, unused -> make.get());
  }

  /** Runs work on the pool, or here if the pool takes none any more: the session is closing. */
  void execute(Runnable work) {
    try {
      pipeline.pool().execute(work);
    } catch (RejectedExecutionException e) {
      cancel();
      work.run();
    }
  }

  /** The same for work that nobody else counts as being under way. */
  void executeInBackground(Runnable work) {
    backgroundBegins();
    execute(
        () -> {
          try {
            work.run();
          } finally {
            backgroundEnds();
          }
        });
  }

  /** Counts work that goes on while nobody waits for it; it must {@link #backgroundEnds end}. */
  void backgroundBegins() {
    pipeline.device().activity().backgroundBegins();
  }

  void backgroundEnds() {
    pipeline.device().activity().backgroundEnds();
  }
}
