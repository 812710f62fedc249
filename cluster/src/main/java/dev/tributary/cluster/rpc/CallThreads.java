package dev.tributary.cluster.rpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import java.util.concurrent.Executor;

/** The executor of a server's calls: those that are not brief go to its threads. */
record CallThreads(Executor calls) implements ServerCallExecutorSupplier {
  @Override
  public <Q, R> Executor getExecutor(ServerCall<Q, R> call, Metadata headers) {
    return BriefCalls.executor(call.getMethodDescriptor(), calls);
  }
}
