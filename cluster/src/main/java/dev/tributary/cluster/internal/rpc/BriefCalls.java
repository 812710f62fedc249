package dev.tributary.cluster.internal.rpc;

import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The procedures that a step is made of. Masters and workers leave what takes long of them to their
 * own threads, so requests and answers are handled on the thread that moves their bytes: in a small
 * step the way from thread to thread would take longer than all the rest. Only messages that are
 * large are decoded elsewhere. Other procedures carry large tensors, import graphs or wait for
 * connections to close, and must not keep bytes from moving.
 */
final class BriefCalls {
  private static final Set<String> METHODS =
      Set.of(
          MasterService.RUN_STEP.method().getFullMethodName(),
          MasterService.RUN_CALLABLE.method().getFullMethodName(),
          WorkerService.RUN_GRAPH.method().getFullMethodName(),
          WorkerService.MARK_RECV_FINISHED.method().getFullMethodName(),
          WorkerService.CLEANUP_GRAPH.method().getFullMethodName());

  private BriefCalls() {}

  /** The executors of a server's calls: those that are not brief go to its threads. */
  static ServerCallExecutorSupplier executors(Executor others) {
    return new ServerCallExecutorSupplier() {
      @Override
      public <Q, R> Executor getExecutor(ServerCall<Q, R> call, Metadata headers) {
        return executor(call.getMethodDescriptor(), others);
      }
    };
  }

  /**
   * Returns the executor for calls of a procedure: the caller's thread for a brief one, else the
   * given threads.
   */
  static Executor executor(MethodDescriptor<?, ?> method, Executor others) {
    return isBrief(method) ? MoreExecutors.directExecutor() : others;
  }

  /**
   * Returns where large requests and answers of a procedure are decoded: not on the thread that
   * moves bytes, heartbeats among them. Calls that are not brief are on other threads already.
   */
  static Executor decoders(MethodDescriptor<?, ?> method, Executor others) {
    return isBrief(method) ? others : MoreExecutors.directExecutor();
  }

  private static boolean isBrief(MethodDescriptor<?, ?> method) {
    return METHODS.contains(method.getFullMethodName());
  }
}
