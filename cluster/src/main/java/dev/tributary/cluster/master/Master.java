package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.CreateSessionRequest;
import dev.tributary.cluster.protocol.CreateSessionResponse;
import dev.tributary.cluster.protocol.ExtendSessionRequest;
import dev.tributary.cluster.protocol.ListDevicesResponse;
import dev.tributary.cluster.protocol.MakeCallableRequest;
import dev.tributary.cluster.protocol.MasterInterface;
import dev.tributary.cluster.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.protocol.ResetRequest;
import dev.tributary.cluster.protocol.RunCallableRequest;
import dev.tributary.cluster.protocol.RunCallableResponse;
import dev.tributary.cluster.protocol.RunStepRequest;
import dev.tributary.cluster.protocol.RunStepResponse;
import dev.tributary.error.TributaryException;
import java.util.concurrent.CompletableFuture;

/** A task's master. */
public final class Master implements MasterInterface, AutoCloseable {
  public Master(MasterEnvironment environment) {}

  @Override
  public CompletableFuture<CreateSessionResponse> createSession(
      CreateSessionRequest request, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<Long> extendSession(ExtendSessionRequest request, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<String> partialRunSetup(
      PartialRunSetupRequest request, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<RunStepResponse> runStep(RunStepRequest request, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<Void> closeSession(String sessionHandle, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<ListDevicesResponse> listDevices(
      String sessionHandle, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<Void> reset(ResetRequest request, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<Long> makeCallable(MakeCallableRequest request, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<RunCallableResponse> runCallable(
      RunCallableRequest request, CallOptions options) {
    return notYet();
  }

  @Override
  public CompletableFuture<Void> releaseCallable(
      String sessionHandle, long callableHandle, CallOptions options) {
    return notYet();
  }

  /** Ends all sessions. */
  @Override
  public void close() {}

  private static <T> CompletableFuture<T> notYet() {
    return CompletableFuture.failedFuture(TributaryException.unimplemented("not yet"));
  }
}
