package dev.tributary.internal.collective;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.kernel.CollectiveExecutor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The collectives of one step in this process: each call is resolved, runs its algorithm on chunks
 * of this step, and ends with its limit at the latest. Safe for use by many threads.
 */
public final class Collectives implements CollectiveExecutor {
  private final CollectiveRuntime runtime;
  private final ChunkTransport chunks;

  /** The calls of this step so far, by device and execution. */
  private final Set<String> begun = ConcurrentHashMap.newKeySet(0);

  /**
   * @param runtime what the steps of a session share
   * @param chunks those of this step
   */
  public Collectives(CollectiveRuntime runtime, ChunkTransport chunks) {
    this.runtime = runtime;
    this.chunks = chunks;
  }

  @Override
  public void run(CollectiveCall call, Cancellation cancellation, Completion done) {
    CollectiveRun run = new CollectiveRun(call, runtime, chunks, cancellation, done);
    if (begun.add(call.keys().execution() + "@" + call.device().name())) {
      run.start();
    } else {
      run.refuse(
          TributaryException.invalidArgument(
              "instance %d of group %d runs twice in this step on %s: operations of one device need"
                  + " different instance keys",
              call.keys().instance(), call.keys().group(), call.device().name()));
    }
  }
}
