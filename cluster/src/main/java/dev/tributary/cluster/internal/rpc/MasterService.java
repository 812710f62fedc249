package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateSessionResponse;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.MakeCallableRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.ResetRequest;
import dev.tributary.cluster.internal.protocol.RunCallableRequest;
import dev.tributary.cluster.internal.protocol.RunCallableResponse;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.internal.rpc.CallableMessages.CallableName;
import dev.tributary.cluster.internal.rpc.message.MasterProto;
import dev.tributary.internal.concurrent.Cancellation;
import io.grpc.ServerServiceDefinition;
import java.util.concurrent.Executor;

/** The procedures of a master, for clients and servers. */
final class MasterService {
  static final String NAME = "tensorflow.MasterService";

  static final Rpc<CreateSessionRequest, CreateSessionResponse> CREATE_SESSION =
      rpc("CreateSession", SessionMessages.CREATE, SessionMessages.CREATED);
  static final Rpc<ExtendSessionRequest, Long> EXTEND_SESSION =
      rpc("ExtendSession", SessionMessages.EXTEND, SessionMessages.EXTENDED);
  static final Rpc<PartialRunSetupRequest, String> PARTIAL_RUN_SETUP =
      rpc("PartialRunSetup", StepMessages.PARTIAL_SETUP, StepMessages.PARTIAL_HANDLE);
  static final Rpc<ErrorsInBody<RunStepRequest>, Outcome<RunStepResponse>> RUN_STEP =
      rpc("RunStep", StepMessages.RUN, StepMessages.RAN);
  static final Rpc<String, Void> CLOSE_SESSION =
      rpc("CloseSession", SessionMessages.CLOSE, Codec.EMPTY);
  static final Rpc<String, ListDevicesResponse> LIST_DEVICES =
      rpc("ListDevices", SessionMessages.LIST_DEVICES, SessionMessages.DEVICES);
  static final Rpc<ResetRequest, Void> RESET = rpc("Reset", SessionMessages.RESET, Codec.EMPTY);
  static final Rpc<MakeCallableRequest, Long> MAKE_CALLABLE =
      rpc("MakeCallable", CallableMessages.MAKE, CallableMessages.MADE);
  static final Rpc<RunCallableRequest, RunCallableResponse> RUN_CALLABLE =
      rpc("RunCallable", CallableMessages.RUN, CallableMessages.RAN);
  static final Rpc<CallableName, Void> RELEASE_CALLABLE =
      rpc("ReleaseCallable", CallableMessages.RELEASE, Codec.EMPTY);

  private MasterService() {}

  static ServerServiceDefinition serving(
      MasterInterface master, Cancellation stopping, CallerRules rules, Executor threads) {
    return new RpcService(NAME, MasterProto.getDescriptor(), stopping, rules, threads)
        .with(CREATE_SESSION, master::createSession)
        .with(EXTEND_SESSION, master::extendSession)
        .with(PARTIAL_RUN_SETUP, master::partialRunSetup)
        .with(RUN_STEP, (message, options) -> message.answer(master::runStep, options))
        .with(CLOSE_SESSION, master::closeSession)
        .with(LIST_DEVICES, master::listDevices)
        .with(RESET, master::reset)
        .with(MAKE_CALLABLE, master::makeCallable)
        .with(RUN_CALLABLE, master::runCallable)
        .with(
            RELEASE_CALLABLE,
            (callable, options) ->
                master.releaseCallable(
                    callable.sessionHandle(), callable.callableHandle(), options))
        .build();
  }

  private static <Q, R> Rpc<Q, R> rpc(String name, Codec<Q> request, Codec<R> response) {
    return Rpc.of(NAME, name, request, response);
  }
}
