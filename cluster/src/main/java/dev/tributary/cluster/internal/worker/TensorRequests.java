package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.time.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Answers other tasks which ask for values that steps send here. Safe for use by many threads. */
final class TensorRequests {
  /** By type and number only: in the cluster of a client this task has another name. */
  private final Map<String, LocalDevice> devices = new HashMap<>();

  private final StepTable steps;
  private final Timer timer;
  private final Duration abortDelay;
  private final Traffic traffic;

  TensorRequests(
      List<LocalDevice> devices,
      StepTable steps,
      Timer timer,
      Duration abortDelay,
      Traffic traffic) {
    devices.forEach(device -> this.devices.put(device.localName(), device));
    this.steps = steps;
    this.timer = timer;
    this.abortDelay = abortDelay;
    this.traffic = traffic;
  }

  CompletableFuture<ReceivedTensor> receive(RecvTensorRequest request, CallOptions options) {
    return receive("RecvTensor", request, ErrorCode.ABORTED, options);
  }

  /** A chunk of a collective that a step here keeps for another task. */
  CompletableFuture<ReceivedTensor> receiveChunk(RecvBufRequest request, CallOptions options) {
    return receive("RecvBuf", request.asTensor(), ErrorCode.FAILED_PRECONDITION, options);
  }

  private CompletableFuture<ReceivedTensor> receive(
      String method, RecvTensorRequest request, ErrorCode restarted, CallOptions options) {
    RendezvousKey key = request.key();
    DeviceSpec receiver = DeviceSpec.parse(key.recvDevice());
    requireSameLife(method, key, restarted);
    StepRendezvous step = steps.begin(request.stepId());
    CompletableFuture<ReceivedTensor> answer = new CompletableFuture<>();
    step.receiveForPeer(
        key,
        new Traffic.CountedReceiver(
            new ReceivedAnswer(answer), traffic.withTaskOf(receiver).sent()));
    options.watch(
        timer,
        () -> method + " of step " + request.stepId(),
        answer,
        reason -> {
          if (answer.completeExceptionally(reason)) {
            timer.after(abortDelay, () -> steps.cancel(request.stepId(), step, reason));
          }
        });
    return answer;
  }

  /**
   * Takes a value that another task has sent unasked.
   *
   * @param session the session of its step
   */
  void take(WorkerSession session, PushTensorRequest request) {
    request.key().check();
    steps.deliver(session, request.stepId(), request.key(), request.value());
  }

  private void requireSameLife(String method, RendezvousKey key, ErrorCode restarted) {
    LocalDevice device = devices.get(LocalDevice.localName(key.sendDevice()));
    if (device == null) {
      throw TributaryException.invalidArgument(
          "%s unknown device. This worker has %s", key.sendDevice(), devices.keySet());
    }
    if (device.incarnation() != key.incarnation()) {
      throw new TributaryException(
          restarted,
          method
              + " expects a different device incarnation: "
              + Long.toUnsignedString(key.incarnation())
              + " vs. "
              + Long.toUnsignedString(device.incarnation())
              + ". Your worker job (\""
              + device.device().name()
              + "\") was probably restarted. Check your worker job for the reason why it was"
              + " restarted.");
    }
  }
}
