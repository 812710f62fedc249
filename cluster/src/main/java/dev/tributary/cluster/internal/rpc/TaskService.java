package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.internal.protocol.ListTasksRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.PushTensorRequest;
import dev.tributary.cluster.internal.protocol.TaskStatus;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.cluster.internal.rpc.message.TaskProto;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.concurrent.Cancellation;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The procedures between our own tasks that TensorFlow's protocol does not have, for both sides.
 */
final class TaskService {
  static final String NAME = "tributary.TaskService";

  static final Rpc<Long, List<String>> STEP_WAITS =
      Rpc.of(
          NAME,
          "StepWaits",
          Codec.of(
              TaskProto.StepWaitsRequest.getDefaultInstance(),
              stepId -> TaskProto.StepWaitsRequest.newBuilder().setStepId(stepId).build(),
              TaskProto.StepWaitsRequest::getStepId),
          Codec.of(
              TaskProto.StepWaitsResponse.getDefaultInstance(),
              waits -> TaskProto.StepWaitsResponse.newBuilder().addAllWait(waits).build(),
              message -> List.copyOf(message.getWaitList())));
  static final Rpc<TaskName, Void> TASK_COMPLETED =
      Rpc.of(
          NAME,
          "TaskCompleted",
          Codec.of(
              TaskProto.TaskCompletedRequest.getDefaultInstance(),
              task ->
                  TaskProto.TaskCompletedRequest.newBuilder()
                      .setJob(task.job())
                      .setTask(task.index())
                      .build(),
              message -> new TaskName(message.getJob(), message.getTask())),
          Codec.EMPTY);

  static final Rpc<PushTensorRequest, Void> PUSH_TENSOR =
      Rpc.of(NAME, "PushTensor", PushTensorMessages.REQUEST, Codec.EMPTY);

  static final Rpc<ListTasksRequest, List<TaskStatus>> LIST_TASKS =
      Rpc.of(
          NAME,
          "ListTasks",
          Codec.of(
              TaskProto.ListTasksRequest.getDefaultInstance(),
              request ->
                  TaskProto.ListTasksRequest.newBuilder()
                      .addAllDeviceFilters(request.deviceFilters())
                      .setLimitMillis(request.limit().toMillis())
                      .build(),
              message ->
                  new ListTasksRequest(
                      message.getDeviceFiltersList(), Duration.ofMillis(message.getLimitMillis()))),
          Codec.of(
              TaskProto.ListTasksResponse.getDefaultInstance(),
              tasks ->
                  TaskProto.ListTasksResponse.newBuilder()
                      .addAllTask(tasks.stream().map(TaskService::toMessage).toList())
                      .build(),
              message -> message.getTaskList().stream().map(TaskService::fromMessage).toList()));

  static final Rpc<String, Duration> KEEP_SESSION =
      Rpc.of(
          NAME,
          "KeepSession",
          Codec.of(
              TaskProto.KeepSessionRequest.getDefaultInstance(),
              handle -> TaskProto.KeepSessionRequest.newBuilder().setSessionHandle(handle).build(),
              TaskProto.KeepSessionRequest::getSessionHandle),
          Codec.of(
              TaskProto.KeepSessionResponse.getDefaultInstance(),
              lease ->
                  TaskProto.KeepSessionResponse.newBuilder()
                      .setLeaseMillis(lease.toMillis())
                      .build(),
              message -> Duration.ofMillis(message.getLeaseMillis())));

  private TaskService() {}

  private static TaskProto.TaskStatus toMessage(TaskStatus status) {
    return TaskProto.TaskStatus.newBuilder()
        .setJob(status.task().job())
        .setTask(status.task().index())
        .addAllDevice(SessionMessages.bytes(status.devices()))
        .setFault(status.fault().orElse(""))
        .build();
  }

  private static TaskStatus fromMessage(TaskProto.TaskStatus message) {
    return new TaskStatus(
        new TaskName(message.getJob(), message.getTask()),
        SessionMessages.devices(message.getDeviceList()),
        Optional.of(message.getFault()).filter(fault -> !fault.isEmpty()));
  }

  static ServerServiceDefinition serving(
      MasterInterface master,
      WorkerInterface worker,
      Cancellation stopping,
      CallerRules rules,
      Executor threads) {
    return new RpcService(NAME, TaskProto.getDescriptor(), stopping, rules, threads)
        .with(STEP_WAITS, worker::stepWaits)
        .with(TASK_COMPLETED, worker::taskCompleted)
        .with(PUSH_TENSOR, worker::pushTensor)
        .with(LIST_TASKS, master::listTasks)
        .with(KEEP_SESSION, master::keepSession)
        .build();
  }
}
