package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.executor.SingleNode;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.kernel.plain.IntraopPool;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.internal.memory.GuardedAllocator;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Whatever is done to the inputs and attributes of a valid call: it gives a result, or one
 * exception of ours that does not call itself a mistake of ours; no memory is written beyond a
 * tensor, and none is lost.
 */
@Tag("slow")
class OpFuzzTest {
  private static final OpRegistry REGISTRY = Ops.registry();
  private static final int CALLS = 150;

  private final GuardedAllocator allocator = new GuardedAllocator(1 << 24);
  private final Device device =
      new Device("fuzz", allocator, new PlainBackend(new IntraopPool(1)), new ResourceContainers());

  @TestFactory
  Stream<DynamicTest> op_ofEachRow_survivesWrongCalls() {
    return OpTable.rows().stream()
        .filter(row -> row.generator().isPresent() && !row.op().equals("Const"))
        .map(row -> DynamicTest.dynamicTest(row.op(), () -> check(row)));
  }

  private void check(OpRow row) {
    long first = row.op().hashCode();
    for (long seed = first; seed < first + CALLS; seed++) {
      try (OpCall right = drawn(row, seed);
          OpCall wrong = new CallMutation(seed).of(right)) {
        check(row, wrong, seed, UnaryOperator.identity());
        check(row, wrong, seed, shape -> Shape.unknown());
      }
    }
  }

  private static OpCall drawn(OpRow row, long seed) {
    var types = row.types();
    var type = types.get((int) Math.floorMod(seed, (long) types.size()));
    return row.generator().orElseThrow().apply(new Draw(seed, type, Draw.Size.ORDINARY));
  }

  private void check(OpRow row, OpCall call, long seed, UnaryOperator<Shape> view) {
    String name = row.op() + ", seed " + seed + ", " + call;
    Ops tf = new Ops(new Graph(REGISTRY).scope());
    try {
      run(tf, row.op(), call, view);
    } catch (TributaryException e) {
      assertThat(e.code()).as("%s: %s", name, e).isNotEqualTo(ErrorCode.INTERNAL);
    } catch (OutOfMemoryError e) {
      // The executor makes RESOURCE_EXHAUSTED of it.
    } catch (RuntimeException | Error e) {
      throw new AssertionError(name + ": " + e, e);
    } finally {
      tf.graph().close();
    }
    try {
      allocator.requireAllBack();
    } catch (AssertionError e) {
      throw new AssertionError(name + ": " + e.getMessage(), e);
    }
  }

  private void run(Ops tf, String op, OpCall call, UnaryOperator<Shape> view) {
    Operation operation = build(tf, op, call, view);
    StepNode node = node(operation);
    operation.inputs().forEach(i -> node.inputs().add(new StepNode.Source(node(i.operation()), 0)));
    List<Tensor> outputs = SingleNode.run(node, call.inputs(), device);
    try {
      for (Output output : operation.outputs()) {
        Tensor value = outputs.get(output.index());
        assertThat(output.shape().isCompatibleWith(value.shape()) && output.type() == value.type())
            .as("%s was foretold, %s came", output, value)
            .isTrue();
      }
    } finally {
      outputs.forEach(Tensor::close);
    }
  }

  /** The inputs go in as one flat list: an attribute that counts them may be wrong. */
  private static Operation build(Ops tf, String op, OpCall call, UnaryOperator<Shape> view) {
    List<Output> inputs = new ArrayList<>();
    for (int i = 0; i < call.inputs().size(); i++) {
      Tensor input = call.inputs().get(i);
      inputs.add(
          call.isConstant(i)
              ? tf.constant(input)
              : tf.placeholder(input.type(), view.apply(input.shape())));
    }
    OperationBuilder builder = tf.scope().operation(op).flatInputs(inputs);
    call.attributes().forEach(builder::attr);
    return builder.build();
  }

  private static StepNode node(Operation operation) {
    return new StepNode(
        operation.name(),
        operation.declaration(),
        operation.attributes(),
        operation.device(),
        operation.outputs().stream().map(Output::type).toList());
  }
}
