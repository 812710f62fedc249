package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.ListTasksRequest;
import dev.tributary.cluster.protocol.MasterInterface;
import dev.tributary.cluster.protocol.PushTensorRequest;
import dev.tributary.cluster.protocol.TaskStatus;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.rpc.message.TaskProto;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.kernel.Cancellation;
import io.grpc.ServerServiceDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
      MasterInterface master, WorkerInterface worker, Cancellation stopping) {
    return new RpcService(NAME, TaskProto.getDescriptor(), stopping)
        .with(STEP_WAITS, worker::stepWaits)
        .with(TASK_COMPLETED, worker::taskCompleted)
        .with(PUSH_TENSOR, worker::pushTensor)
        .with(LIST_TASKS, master::listTasks)
        .build();
  }
}
