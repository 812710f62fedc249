package dev.tributary.cluster.rpc;

import dev.tributary.cluster.protocol.PushTensorRequest;
import dev.tributary.cluster.protocol.WorkerInterface;
import dev.tributary.cluster.rpc.message.TaskProto;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.kernel.Cancellation;
import io.grpc.ServerServiceDefinition;
import java.util.List;

/** What tasks of ours ask each other beyond TensorFlow's protocol, for both sides. */
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

  private TaskService() {}

  static ServerServiceDefinition serving(WorkerInterface worker, Cancellation stopping) {
    return new RpcService(NAME, TaskProto.getDescriptor(), stopping)
        .with(STEP_WAITS, worker::stepWaits)
        .with(TASK_COMPLETED, worker::taskCompleted)
        .with(PUSH_TENSOR, worker::pushTensor)
        .build();
  }
}
