package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.*;
import dev.tributary.error.TributaryException;
import java.util.concurrent.CompletableFuture;

/** A master in another process. */
public final class GrpcMaster implements MasterInterface, AutoCloseable {
  public GrpcMaster(String hostPort) {}

  @Override
  public void close() {}

  @Override
  public CompletableFuture<CreateSessionResponse> createSession(
      CreateSessionRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Long> extendSession(ExtendSessionRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<String> partialRunSetup(
      PartialRunSetupRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<RunStepResponse> runStep(RunStepRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> closeSession(String sessionHandle, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<ListDevicesResponse> listDevices(
      String sessionHandle, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> reset(ResetRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Long> makeCallable(MakeCallableRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<RunCallableResponse> runCallable(
      RunCallableRequest request, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }

  @Override
  public CompletableFuture<Void> releaseCallable(
      String sessionHandle, long callableHandle, CallOptions options) {
    throw TributaryException.unimplemented("not yet");
  }
}
