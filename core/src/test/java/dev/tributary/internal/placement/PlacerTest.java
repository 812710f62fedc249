package dev.tributary.internal.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.testing.TinyOps;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PlacerTest {
  private static final String PS0 = "/job:ps/replica:0/task:0/device:CPU:0";
  private static final String PS2 = "/job:ps/replica:0/task:2/device:CPU:0";
  private static final String PS10 = "/job:ps/replica:0/task:10/device:CPU:0";
  private static final String WORKER0 = "/job:worker/replica:0/task:0/device:CPU:0";
  private static final String WORKER1 = "/job:worker/replica:0/task:1/device:CPU:0";
  private static final String WORKER1_GPU = "/job:worker/replica:0/task:1/device:GPU:0";
  private static final String LOCAL = "/job:worker/replica:0/task:1";

  private final TinyOps tf = new TinyOps();

  @AfterEach
  void close() {
    tf.close();
  }

  @Test
  void place_nothingAsked_takesTheLocalTask() {
    assertThat(placed(cpus(false), nothing(""))).isEqualTo(WORKER1);
  }

  @Test
  void place_betterDeviceType_comesFirst() {
    assertThat(placed(withGpu(false), nothing(""))).isEqualTo(WORKER1_GPU);
    assertThat(
            placed(
                new Placer(
                    List.of(WORKER1, WORKER1_GPU), LOCAL, false, (op, type) -> type.equals("CPU")),
                nothing("")))
        .isEqualTo(WORKER1);
  }

  @Test
  void place_partialSpec_takesTheFirstMatchByName() {
    assertThat(placed(cpus(false), nothing("/job:ps"))).isEqualTo(PS0);
    assertThat(
            placed(
                new Placer(List.of(PS2, PS10), LOCAL, false, (op, type) -> true),
                nothing("/job:ps")))
        .isEqualTo(PS10);
    assertThat(placed(cpus(false), nothing("/job:ps/task:2/cpu:0"))).isEqualTo(PS2);
  }

  @Test
  void place_missingDevice_namesNodeWishAndDevices() {
    Operation gpu = nothing("/job:worker/device:GPU:0");

    refused(
        () -> placed(cpus(false), gpu),
        "TestNothing '" + gpu.name() + "'",
        "/job:worker/device:GPU:0",
        PS0,
        WORKER1);
    assertThat(placed(cpus(true), gpu)).isEqualTo(WORKER1);
    refused(() -> placed(cpus(true), nothing("/job:worker/task:7/device:CPU:0")), "/task:7");
    refused(() -> placed(cpus(true), nothing("/job:chief")), "/job:chief");
  }

  @Test
  void place_resourceEdges_keepConsumersWithTheResource() {
    Output variable = build("TestVariable", "/job:ps/task:2").build().output(0);
    Operation assign = build("TestAssign", "").input(variable).input(tf.constant(1)).build();
    Output handle = build("TestHandle", "/job:ps/task:10").build().output(0);
    Operation use = build("TestUse", "").input(handle).build();
    Operation stubborn = build("TestUse", "/job:worker").input(handle).build();

    StepGraph graph = place(cpus(false), assign, use, stubborn);

    assertThat(device(graph, assign)).isEqualTo(PS2);
    assertThat(device(graph, use)).isEqualTo(PS10);
    assertThat(device(graph, stubborn)).isEqualTo(PS10);
  }

  @Test
  void place_valueEdges_doNotTieNodes() {
    Output variable = build("TestVariable", "/job:ps/task:2").build().output(0);
    Operation reader = tf.add(variable, variable).operation();

    assertThat(placed(cpus(false), reader)).isEqualTo(WORKER1);
  }

  @Test
  void place_classGroups_areMerged() {
    Operation a = nothing("/job:ps");
    Operation b =
        build("TestNothing", "/task:2").attr("_class", List.of("loc:@" + a.name())).build();
    Operation c =
        build("TestNothing", "").attr("_class", List.of("loc:@" + b.name(), "other")).build();
    Operation d = build("TestNothing", "").attr("_class", List.of("loc:@absent")).build();
    Operation e =
        build("TestNothing", "/job:ps/task:10").attr("_class", List.of("loc:@absent")).build();

    StepGraph graph = place(cpus(false), a, b, c, d, e);

    assertThat(List.of(a, b, c)).allSatisfy(o -> assertThat(device(graph, o)).isEqualTo(PS2));
    assertThat(device(graph, d)).isEqualTo(PS10);
  }

  @Test
  void place_conflictingClassGroups_areReportedUnlessSoft() {
    Operation a = nothing("/job:ps");
    Operation b =
        build("TestNothing", "/job:worker").attr("_class", List.of("loc:@" + a.name())).build();

    refused(
        () -> place(cpus(false), a, b), "colocate", a.name(), b.name(), "/job:ps", "/job:worker");
    StepGraph soft = place(cpus(true), a, b);
    assertThat(device(soft, a)).isEqualTo(PS0);
    assertThat(device(soft, b)).isEqualTo(WORKER1);
  }

  @Test
  void place_classThatIsNoList_isRefused() {
    Operation a = build("TestNothing", "").attr("_class", "loc:@x").build();

    refused(() -> place(cpus(false), a), "_class", a.name());
  }

  @Test
  void place_constants_goWhereTheyAreUsed() {
    Output shared = tf.constant(1);
    Output own = tf.constant(2);
    Operation onPs = build("TestAdd", "/job:ps/task:2").input(own).input(own).build();
    Operation first = build("TestAdd", "/job:ps").input(shared).input(own).build();
    Operation onWorker = build("TestAdd", "/job:worker").input(shared).input(shared).build();

    StepGraph alone = place(cpus(false), onPs);
    StepGraph all = place(cpus(false), first, onWorker);

    assertThat(device(alone, own.operation())).isEqualTo(PS2);
    assertThat(device(all, shared.operation())).isEqualTo(WORKER1);
    assertThat(device(all, own.operation())).isEqualTo(PS0);
  }

  @Test
  void place_fixedDevice_staysAndDrawsItsGroup() {
    Output handle = build("TestHandle", "").build().output(0);
    Operation use = build("TestUse", "").input(handle).build();

    StepGraph graph = whole();
    cpus(false).place(graph, Map.of(handle.operation().name(), PS2));

    assertThat(device(graph, handle.operation())).isEqualTo(PS2);
    assertThat(device(graph, use)).isEqualTo(PS2);
  }

  @Test
  void place_fixedDevices_thatMustBeOne_areRefused() {
    Output handle = build("TestHandle", "").build().output(0);
    Operation use = build("TestUse", "").input(handle).build();

    refused(
        () -> cpus(false).place(whole(), Map.of(handle.operation().name(), PS2, use.name(), PS10)),
        PS2,
        PS10,
        use.name());
  }

  @Test
  void place_shapesAndPassedValues_stayWithTheirInput() {
    Output value =
        build("TestAdd", "/job:ps/task:2")
            .input(tf.constant(1))
            .input(tf.constant(2))
            .buildOutput();
    Operation shape = build("Shape", "").input(value).build();
    Operation passed = build("Identity", "").input(value).build();
    Operation asked = build("Identity", "/job:worker").input(value).build();
    Operation bound = build("Shape", "/job:worker").input(value).build();

    StepGraph graph = place(cpus(false), shape, passed, asked, bound);

    assertThat(device(graph, shape)).isEqualTo(PS2);
    assertThat(device(graph, passed)).isEqualTo(PS2);
    assertThat(device(graph, asked)).isEqualTo(WORKER1);
    assertThat(device(graph, bound)).isEqualTo(WORKER1);
  }

  /** A tenth of a second when it is linear; work quadratic in the nodes would take minutes. */
  @Test
  @Timeout(60)
  void place_hundredThousandNodes_isDone() {
    Output handle = build("TestHandle", "/job:ps").build().output(0);
    Output last = tf.constant(1);
    for (int i = 0; i < 33_000; i++) {
      Output used = build("TestUse", "").input(handle).buildOutput();
      last = build("TestAdd", "/job:worker/task:0").input(last).input(used).buildOutput();
      last = build("Identity", "").input(last).buildOutput();
    }
    StepGraph graph = whole();

    cpus(false).place(graph);

    assertThat(device(graph, last.operation())).isEqualTo(WORKER0);
  }

  @Test
  void placer_deviceNotFullyNamed_isRefused() {
    refused(() -> new Placer(List.of("/job:ps"), LOCAL, false, (op, type) -> true), "/job:ps");
  }

  private static Placer cpus(boolean soft) {
    return new Placer(List.of(WORKER0, PS10, WORKER1, PS2, PS0), LOCAL, soft, (op, type) -> true);
  }

  private static Placer withGpu(boolean soft) {
    return new Placer(List.of(WORKER0, WORKER1, WORKER1_GPU), LOCAL, soft, (op, type) -> true);
  }

  private Operation nothing(String device) {
    return build("TestNothing", device).build();
  }

  private OperationBuilder build(String op, String device) {
    return tf.graph().scope().withDevice(device).operation(op);
  }

  private String placed(Placer placer, Operation operation) {
    return device(place(placer, operation), operation);
  }

  private StepGraph place(Placer placer, Operation... targets) {
    StepGraph graph =
        Pruner.prune(tf.graph(), new StepSignature(List.of(), List.of(), List.of(targets)));
    placer.place(graph);
    return graph;
  }

  private StepGraph whole() {
    return StepGraph.whole(tf.graph().operations());
  }

  private static String device(StepGraph graph, Operation operation) {
    return graph.nodes().stream()
        .filter(n -> n.name().equals(operation.name()))
        .map(StepNode::device)
        .findFirst()
        .orElseThrow();
  }

  private static void refused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .hasMessageContainingAll(parts)
        .satisfies(
            e -> assertThat(((TributaryException) e).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }
}
