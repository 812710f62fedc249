package dev.tributary.testing;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRule;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongBinaryOperator;
import java.util.function.UnaryOperator;

/**
 * A graph over a few ops on int64 scalars which exist only in tests of the runtime, beside the
 * library's own. Closing it gives back the constants of the graph.
 */
public final class TinyOps implements AutoCloseable {
  /** How long TestLong computes. */
  private static final long LONG_NANOS = 3_000_000;

  /** How often kernels of TestAdd and TestSub ran. */
  public final AtomicInteger additions = new AtomicInteger();

  /** Where TestWait kernels wait. */
  public final Gate gate = new Gate();

  /** What TestBlock kernels wait for, and where they tell that they do. */
  public final CountDownLatch unblock = new CountDownLatch(1);

  public final CountDownLatch blocked = new CountDownLatch(1);

  private final Graph graph;

  public TinyOps() {
    List<OpDeclaration> all = new ArrayList<>(Ops.registry().all());
    all.addAll(arithmetic());
    all.addAll(flow());
    all.addAll(state());
    all.addAll(waiting());
    graph = new Graph(new OpRegistry(all));
  }

  public Graph graph() {
    return graph;
  }

  @Override
  public void close() {
    graph.close();
  }

  // ---- building ----

  public Output constant(long value) {
    return new Ops(graph.scope()).constant(value);
  }

  public Output placeholder(Shape shape) {
    return new Ops(graph.scope()).placeholder(DataType.INT64, shape);
  }

  public Output add(Output a, Output b) {
    return op("TestAdd", a, b);
  }

  public Output sub(Output a, Output b) {
    return op("TestSub", a, b);
  }

  public Output less(Output a, Output b) {
    return op("TestLess", a, b);
  }

  /** The first output of a new operation with these single inputs. */
  public Output op(String type, Output... inputs) {
    return operation(type, inputs).output(0);
  }

  public Operation operation(String type, Output... inputs) {
    var builder = graph.scope().operation(type);
    for (Output input : inputs) {
      builder.input(input);
    }
    return builder.build();
  }

  public Operation switchOn(Output data, Output predicate) {
    return operation("TestSwitch", data, predicate);
  }

  public Operation merge(Output... inputs) {
    return graph.scope().operation("TestMerge").inputList(List.of(inputs)).build();
  }

  public Output enter(Output value, String frame, boolean constant, int parallelIterations) {
    return graph
        .scope()
        .operation("TestEnter")
        .input(value)
        .attr("frame_name", frame)
        .attr("is_constant", constant)
        .attr("parallel_iterations", parallelIterations)
        .buildOutput();
  }

  /**
   * A loop that counts from {@code start} up to {@code limit} in steps that {@code body} makes; the
   * exit's value.
   */
  public Output loop(
      String frame,
      int parallelIterations,
      Output start,
      Output limit,
      UnaryOperator<Output> body) {
    Output entered = enter(start, frame, false, parallelIterations);
    Output bound = enter(limit, frame, true, parallelIterations);
    Operation merge = merge(entered, entered);
    Output condition = op("TestLoopCond", less(merge.output(0), bound));
    Operation branch = switchOn(merge.output(0), condition);
    Output next = op("TestNextIteration", body.apply(branch.output(1)));
    graph.updateInput(merge, 1, next);
    return op("TestExit", branch.output(0));
  }

  // ---- declarations ----

  private List<OpDeclaration> arithmetic() {
    return List.of(
        declare(binary("TestAdd").commutative(), ShapeRules::unchanged, longs(Long::sum)),
        declare(binary("TestSub"), ShapeRules::unchanged, longs((a, b) -> a - b)),
        declare(
            new OpDefBuilder("TestLess").input("a: int64").input("b: int64").output("z: bool"),
            ShapeRules::scalar,
            node ->
                c ->
                    c.setOutput(0, Tensor.scalar(c.input(0).longValue() < c.input(1).longValue()))),
        declare(
            new OpDefBuilder("TestFail").input("a: int64").output("z: int64"),
            ShapeRules::unchanged,
            node ->
                c -> {
                  throw TributaryException.invalidArgument("broken on purpose");
                }),
        declare(
            new OpDefBuilder("TestCrash").input("a: int64").output("z: int64"),
            ShapeRules::unchanged,
            node ->
                c -> {
                  c.allocateOutput(0, Shape.scalar());
                  throw new IllegalStateException("a defect");
                }),
        declare(
            new OpDefBuilder("TestUnset").input("a: int64").output("y: int64").output("z: int64"),
            ShapeRules::unknown,
            node -> c -> c.allocateOutput(0, Shape.scalar())),
        declare(
            new OpDefBuilder("TestBig").input("size: int64").output("z: int8"),
            ShapeRules::unknown,
            node -> c -> c.allocateOutput(0, Shape.of(c.input(0).longValue()))),
        declare(new OpDefBuilder("TestNothing"), ShapeRules::unknown, node -> c -> {}));
  }

  private static List<OpDeclaration> flow() {
    return List.of(
        declare(
            new OpDefBuilder("TestSwitch")
                .input("data: T")
                .input("pred: bool")
                .output("output_false: T")
                .output("output_true: T")
                .attr("T: type"),
            ShapeRules::unchanged,
            node -> c -> c.setOutput(c.input(1).booleanValue() ? 1 : 0, c.input(0).retain()),
            FlowKind.SWITCH),
        declare(
            new OpDefBuilder("TestMerge")
                .input("inputs: N * T")
                .output("output: T")
                .output("value_index: int32")
                .attr("T: type")
                .attr("N: int >= 1"),
            ShapeRules::unknown,
            node -> TinyOps::runMerge,
            FlowKind.MERGE),
        declare(
            pass("TestEnter")
                .attr("frame_name: string")
                .attr("is_constant: bool = false")
                .attr("parallel_iterations: int = 10"),
            FlowKind.ENTER),
        declare(pass("TestExit"), FlowKind.EXIT),
        declare(pass("TestNextIteration"), FlowKind.NEXT_ITERATION),
        declare(
            new OpDefBuilder("TestLoopCond").input("input: bool").output("output: bool"),
            ShapeRules::unchanged,
            node -> c -> c.setOutput(0, c.input(0).retain()),
            FlowKind.LOOP_COND));
  }

  private static List<OpDeclaration> state() {
    return List.of(
        declare(
            new OpDefBuilder("TestCount")
                .input("delta: int64")
                .output("z: int64")
                .attr("shared_name: string")
                .stateful(),
            ShapeRules::unknown,
            node -> c -> count(c, node)),
        declare(
            new OpDefBuilder("TestSequence").output("z: int64").stateful(),
            ShapeRules::scalar,
            node -> {
              AtomicLong next = new AtomicLong();
              return c -> c.setOutput(0, Tensor.scalar(next.getAndIncrement()));
            }),
        declare(
            new OpDefBuilder("TestVariable").output("ref: Ref(int64)").stateful(),
            ShapeRules::scalar,
            node ->
                c ->
                    c.setRefOutput(
                        0,
                        c.device()
                            .resources()
                            .container("")
                            .findOrCreate(
                                node.name(),
                                VariableResource.class,
                                () -> new VariableResource(node.name(), DataType.INT64)))),
        declare(
            new OpDefBuilder("TestAssign")
                .input("ref: Ref(int64)")
                .input("value: int64")
                .output("output_ref: Ref(int64)")
                .allowsUninitializedInput(),
            ShapeRules::unchanged,
            node ->
                c -> {
                  c.refInput(0).assign(c.input(1).retain());
                  c.setRefOutput(0, c.refInput(0));
                }),
        declare(
            new OpDefBuilder("TestHandle").output("handle: resource").stateful(),
            ShapeRules::scalar,
            node ->
                c ->
                    c.setOutput(
                        0, Tensor.ofObjects(DataType.RESOURCE, Shape.scalar(), node.name()))),
        declare(
            new OpDefBuilder("TestUse").input("handle: resource").output("z: int64").stateful(),
            ShapeRules::scalar,
            node -> c -> c.setOutput(0, Tensor.scalar(1L))));
  }

  private List<OpDeclaration> waiting() {
    return List.of(
        declare(
            new OpDefBuilder("TestWait").input("a: int64").output("z: int64").stateful(),
            ShapeRules::unchanged,
            node -> async(gate::add)),
        declare(
            new OpDefBuilder("TestAtOnce").input("a: int64").output("z: int64").stateful(),
            ShapeRules::unchanged,
            node ->
                async(
                    (c, done) -> {
                      c.setOutput(0, c.input(0).retain());
                      done.succeed();
                    })),
        declare(
            new OpDefBuilder("TestBlock").input("a: int64").output("z: int64").stateful(),
            ShapeRules::unchanged,
            node ->
                c -> {
                  blocked.countDown();
                  awaitUnblocked();
                  c.setOutput(0, c.input(0).retain());
                },
            FlowKind.NONE,
            OpFlag.EXPENSIVE),
        declare(
            new OpDefBuilder("TestLong").input("a: int64").output("z: int64").stateful(),
            ShapeRules::unchanged,
            node ->
                c -> {
                  long start = System.nanoTime();
                  while (System.nanoTime() - start < LONG_NANOS) {
                    Thread.onSpinWait();
                  }
                  c.setOutput(0, c.input(0).retain());
                },
            FlowKind.NONE,
            OpFlag.EXPENSIVE));
  }

  private void awaitUnblocked() {
    try {
      if (!unblock.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody unblocked the kernel");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private interface AsyncBody {
    void start(KernelContext context, AsyncKernel.Completion done);
  }

  private static AsyncKernel async(AsyncBody body) {
    return body::start;
  }

  private static void runMerge(KernelContext c) {
    for (int i = 0; i < c.inputCount(); i++) {
      if (c.hasInput(i)) {
        c.setOutput(0, c.input(i).retain());
        c.setOutput(1, Tensor.scalar(i));
        return;
      }
    }
  }

  private static void count(KernelContext c, KernelNode node) {
    String name = node.attributes().string("shared_name");
    VariableResource variable =
        c.device()
            .resources()
            .container("")
            .findOrCreate(
                name,
                VariableResource.class,
                () -> {
                  VariableResource fresh = new VariableResource(name, DataType.INT64);
                  fresh.assign(Tensor.scalar(0L));
                  return fresh;
                });
    try (VariableResource.Locked locked = VariableResource.lock(variable)) {
      Tensor value = locked.writable(variable, c.allocator());
      Memory.putLong(value.storage().address(), value.longValue() + c.input(0).longValue());
    }
    c.setOutput(0, variable.read());
  }

  private static OpDefBuilder binary(String name) {
    return new OpDefBuilder(name).input("a: int64").input("b: int64").output("z: int64");
  }

  private static OpDefBuilder pass(String name) {
    return new OpDefBuilder(name).input("data: T").output("output: T").attr("T: type");
  }

  private KernelFactory longs(LongBinaryOperator operator) {
    return node ->
        c -> {
          additions.incrementAndGet();
          long value = operator.applyAsLong(c.input(0).longValue(), c.input(1).longValue());
          Memory.putLong(c.forwardOrAllocate(0, 0, c.input(0).shape()).storage().address(), value);
        };
  }

  private static OpDeclaration declare(OpDefBuilder def, FlowKind flow) {
    return declare(
        def, ShapeRules::unchanged, node -> c -> c.setOutput(0, c.input(0).retain()), flow);
  }

  private static OpDeclaration declare(OpDefBuilder def, ShapeRule shape, KernelFactory kernel) {
    return declare(def, shape, kernel, FlowKind.NONE);
  }

  private static OpDeclaration declare(
      OpDefBuilder def, ShapeRule shape, KernelFactory kernel, FlowKind flow, OpFlag... flags) {
    return new OpDeclaration(
        def.build(), shape, Optional.empty(), kernel, Optional.empty(), flow, Set.of(flags));
  }
}
