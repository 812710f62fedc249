package dev.tributary.cluster.rpc;

import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.MethodDescriptor;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The procedures that a step is made of. Masters and workers leave what takes long of them to their
 * own threads, so requests and answers are handled on the thread that moves their bytes: in a small
 * step the way from thread to thread would take longer than all the rest. Other procedures carry
 * large tensors, import graphs or wait for connections to close, and must not keep bytes from
 * moving.
 */
final class BriefCalls {
  private static final Set<MethodDescriptor<?, ?>> METHODS =
      Set.of(
          MasterService.RUN_STEP.method(),
          MasterService.RUN_CALLABLE.method(),
          WorkerService.RUN_GRAPH.method(),
          WorkerService.MARK_RECV_FINISHED.method(),
          WorkerService.CLEANUP_GRAPH.method());

  private BriefCalls() {}

  /**
   * Returns the executor for calls of a procedure: the caller's thread for a brief one, else the
   * given threads.
   */
  static Executor executor(MethodDescriptor<?, ?> method, Executor others) {
    return METHODS.contains(method) ? MoreExecutors.directExecutor() : others;
  }
}
