package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.comm.AssignGroupKernel;
import dev.tributary.internal.kernel.comm.CollectiveKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Collectives: values that the devices of a group compute together. Each device runs one operation
 * of the same kind with the same keys; an operation ends when all have. The devices may be those of
 * one session, or of tasks with sessions of their own.
 */
public final class CollectiveOps {
  private static final String REDUCED = "{bfloat16, float, half, double, int32, int64}";
  private static final String GATHERED = "{float, half, double, int32, int64}";
  private static final String BROADCAST = "{bool, float, half, double, int32, int64}";

  private final Scope scope;

  CollectiveOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(withKeyAttributes());
    all.addAll(withKeyInputs());
    all.addAll(broadcasts());
    all.add(assignGroup());
    return all;
  }

  private static List<OpDeclaration> withKeyAttributes() {
    return List.of(
        hints(
                reduction(keyAttributes(value("CollectiveReduce", REDUCED)))
                    .attr("subdiv_offsets: list(int)")
                    .attr("wait_for: list(int) = []"))
            .shape(ShapeRules::unchanged)
            .kernel(CollectiveKernel.reduce())
            .notDifferentiable(),
        hints(keyAttributes(value("CollectiveGather", GATHERED)).attr("shape: shape"))
            .shape(ShapeRules::fromAttribute)
            .kernel(CollectiveKernel.gather())
            .notDifferentiable());
  }

  private static List<OpDeclaration> withKeyInputs() {
    return List.of(
        ordered(hints(reduction(ordering(keyInputs(value("CollectiveReduceV2", REDUCED))))))
            .attr("max_subdivs_per_device: int = -1")
            .shape(ShapeRules::unchanged)
            .kernel(CollectiveKernel.reduce())
            .notDifferentiable(),
        ordered(hints(reduction(ordering(keyInputs(value("CollectiveReduceScatterV2", REDUCED))))))
            .attr("max_subdivs_per_device: int = -1")
            .shape(CollectiveOps::otherRows)
            .kernel(CollectiveKernel.reduceScatter())
            .notDifferentiable(),
        ordered(hints(ordering(keyInputs(value("CollectiveGatherV2", GATHERED)))))
            .shape(CollectiveOps::otherRows)
            .kernel(CollectiveKernel.gather())
            .notDifferentiable(),
        ordered(hints(ordering(keyInputs(value("CollectiveAllToAllV2", REDUCED)))))
            .shape(ShapeRules::unchanged)
            .kernel(CollectiveKernel.allToAll())
            .notDifferentiable());
  }

  private static List<OpDeclaration> broadcasts() {
    return List.of(
        hints(keyAttributes(value("CollectiveBcastSend", BROADCAST)).attr("shape: shape"))
            .shape(ShapeRules::fromAttribute)
            .kernel(CollectiveKernel.broadcastSend())
            .notDifferentiable(),
        hints(keyInputs(value("CollectiveBcastSendV2", BROADCAST)))
            .shape(ShapeRules::unchanged)
            .kernel(CollectiveKernel.broadcastSend())
            .notDifferentiable(),
        hints(
                keyAttributes(
                        collective("CollectiveBcastRecv").output("data: T").attr("T: " + BROADCAST))
                    .attr("shape: shape"))
            .shape(ShapeRules::fromAttribute)
            .kernel(CollectiveKernel.broadcastRecv())
            .notDifferentiable(),
        hints(
                keyInputs(collective("CollectiveBcastRecvV2"))
                    .input("shape: Tshape")
                    .output("data: T")
                    .attr("T: " + BROADCAST)
                    .attr("Tshape: {int32, int64} = int32"))
            .shape(c -> c.output(0, c.knownShape(3)))
            .kernel(CollectiveKernel.broadcastRecv())
            .notDifferentiable());
  }

  private static OpDeclaration assignGroup() {
    return op("CollectiveAssignGroupV2")
        .stateful()
        .distributedCommunication()
        .input("group_assignment: int32")
        .input("device_index: int32")
        .input("base_key: int32")
        .output("group_size: int32")
        .output("group_key: int32")
        .shape(ShapeRules::scalar)
        .kernel(node -> new AssignGroupKernel())
        .notDifferentiable();
  }

  private static Declaration collective(String name) {
    return op(name).stateful().distributedCommunication().flag(OpFlag.COLLECTIVE);
  }

  private static Declaration value(String name, String types) {
    return collective(name).input("input: T").output("data: T").attr("T: " + types);
  }

  private static Declaration keyAttributes(Declaration op) {
    return op.attr("group_size: int").attr("group_key: int").attr("instance_key: int");
  }

  private static Declaration keyInputs(Declaration op) {
    return op.input("group_size: int32").input("group_key: int32").input("instance_key: int32");
  }

  private static Declaration reduction(Declaration op) {
    return op.attr("merge_op: {'Min', 'Max', 'Mul', 'Add'}").attr("final_op: {'Id', 'Div'}");
  }

  private static Declaration hints(Declaration op) {
    return op.attr("communication_hint: string = 'auto'").attr("timeout_seconds: float = 0");
  }

  private static Declaration ordering(Declaration op) {
    return op.input("ordering_token: Nordering_token * resource");
  }

  private static Declaration ordered(Declaration op) {
    return op.attr("is_stateless: bool = false").attr("Nordering_token: int >= 0 = 0");
  }

  /** The output has the input's shape but for the number of rows. */
  private static void otherRows(InferenceContext c) {
    Shape input = c.input(0);
    c.output(0, input.hasRank() && input.rank() > 0 ? input.withSize(0, Shape.UNKNOWN) : input);
  }

  // ---- client methods ----

  /** The sum of the values of all devices, on each of them. */
  public Output sum(Operand input, DeviceGroup group, int instance) {
    return reduce(input, group, instance, MergeOp.ADD, "Id");
  }

  /**
   * The sums of several values, packed into few collectives.
   *
   * @param firstInstance the key of the first collective; there are no more of them than values,
   *     and their keys are the numbers after it
   * @param bytesPerPack the most bytes of values that go together; values of which the size is not
   *     known go alone
   */
  public List<Output> sumAll(
      List<? extends Operand> inputs, DeviceGroup group, int firstInstance, long bytesPerPack) {
    return new ReductionBuckets(new Ops(scope), group, firstInstance, bytesPerPack)
        .sum(Operand.asOutputs(inputs));
  }

  /** The mean of the values of all devices, on each of them. */
  public Output mean(Operand input, DeviceGroup group, int instance) {
    return reduce(input, group, instance, MergeOp.ADD, "Div");
  }

  /** The values of all devices joined, on each of them. */
  public Output reduce(Operand input, DeviceGroup group, int instance, MergeOp merge) {
    return reduce(input, group, instance, merge, "Id");
  }

  private Output reduce(
      Operand input, DeviceGroup group, int instance, MergeOp merge, String finalOp) {
    return scope
        .operation("CollectiveReduce")
        .input(input)
        .attr("group_size", group.size())
        .attr("group_key", group.key())
        .attr("instance_key", instance)
        .attr("merge_op", merge.attribute())
        .attr("final_op", finalOp)
        .attr("subdiv_offsets", List.of(0L))
        .attr("timeout_seconds", group.timeoutSeconds())
        .buildOutput();
  }

  /** The rows of the sum of all devices' values that have this device's rank: one part of many. */
  public Output reduceScatter(Operand input, DeviceGroup group, int instance, MergeOp merge) {
    return keyed("CollectiveReduceScatterV2", group, instance, input)
        .inputList(List.of())
        .attr("merge_op", merge.attribute())
        .attr("final_op", "Id")
        .buildOutput();
  }

  /** The rows of all devices, in the order of their ranks, on each of them. */
  public Output gather(Operand input, DeviceGroup group, int instance) {
    return keyed("CollectiveGatherV2", group, instance, input).inputList(List.of()).buildOutput();
  }

  /** The parts of all devices' values that have this device's rank, in the order of theirs. */
  public Output allToAll(Operand input, DeviceGroup group, int instance) {
    return keyed("CollectiveAllToAllV2", group, instance, input).inputList(List.of()).buildOutput();
  }

  /** Gives a value to all other devices, which {@link #broadcastRecv receive} it. */
  public Output broadcastSend(Operand input, DeviceGroup group, int instance) {
    return keyed("CollectiveBcastSendV2", group, instance, input).buildOutput();
  }

  /** The value that one device of the group {@linkplain #broadcastSend gives} to all others. */
  public Output broadcastRecv(DataType type, Shape shape, DeviceGroup group, int instance) {
    return keyed("CollectiveBcastRecvV2", group, instance)
        .input(new Ops(scope).constant(shape.toArray()))
        .attr("T", type)
        .buildOutput();
  }

  private OperationBuilder keyed(String op, DeviceGroup group, int instance, Operand... inputs) {
    Ops tf = new Ops(scope);
    OperationBuilder builder = scope.operation(op);
    for (Operand input : inputs) {
      builder.input(input);
    }
    return builder
        .input(tf.constant(group.size()))
        .input(tf.constant(group.key()))
        .input(tf.constant(instance))
        .attr("timeout_seconds", group.timeoutSeconds());
  }
}
