package dev.tributary.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationBuilderTest {
  private final Graph graph = TestOps.graph();
  private final Scope scope = graph.scope();
  private final Output x = placeholder(DataType.FLOAT, Shape.of(2, 3));
  private final Output n = placeholder(DataType.INT32, Shape.scalar());

  @Test
  void build_attributes_followFromInputsAndDefaults() {
    Operation pack = scope.operation("Pack").inputList(List.of(x, x, x)).build();

    assertThat(pack.attributes().integer("N")).isEqualTo(3);
    assertThat(pack.attributes().type("T")).isEqualTo(DataType.FLOAT);
    assertThat(pack.attributes().integer("axis")).isZero();
    assertThat(pack.inputs()).containsExactly(x, x, x);
  }

  @Test
  void build_listOfTypes_followsFromInputs() {
    Operation all = scope.operation("IdentityN").inputList(List.of(x, n)).build();

    assertThat(all.attributes().types("T")).containsExactly(DataType.FLOAT, DataType.INT32);
    assertThat(all.output(0).shape()).isEqualTo(Shape.of(2, 3));
    assertThat(all.output(1).type()).isEqualTo(DataType.INT32);
  }

  @Test
  void build_severalOutputs_areCountedByTheAttribute() {
    assertThat(scope.operation("Split").input(n).input(x).attr("num_split", 3).build().outputs())
        .hasSize(3);
  }

  @Test
  void build_flatInputs_areCutByAttributes() {
    Operation pack =
        scope
            .operation("Pack")
            .flatInputs(List.of(x, x))
            .attr("N", 2)
            .attr("T", DataType.FLOAT)
            .build();

    assertThat(pack.inputs()).containsExactly(x, x);
  }

  @Test
  void build_pendingInput_saysNothingOfItsShape() {
    Operation sure = scope.operation("Merge").inputList(List.of(x, x)).build();
    Operation open = scope.operation("Merge").inputList(List.of(x, x)).pendingInput(1).build();

    assertThat(sure.output(0).shape()).isEqualTo(Shape.of(2, 3));
    assertThat(open.output(0).shape()).isEqualTo(Shape.unknown());
  }

  @Test
  void build_refused_namesTheOperation() {
    assertRefused(scope.withName("r").operation("Relu").input(n), "Relu 'r'", "float");
    assertRefused(
        scope.withName("r").operation("Relu").input(x).input(x),
        "Relu 'r'",
        "takes 1 inputs",
        "got 2");
    assertRefused(
        scope.withName("r").operation("Relu").input(x).attr("alpha", 1),
        "Relu 'r'",
        "no attribute 'alpha'");
    assertRefused(
        scope.withName("r").operation("Relu").input(x).attr("T", "float"),
        "Relu 'r'",
        "\"float\" already");
    assertRefused(
        scope.withName("p").operation("Placeholder"), "Placeholder 'p'", "'dtype'", "missing");
    assertRefused(
        scope.withName("a").operation("Add").input(x).input(n),
        "Add 'a'",
        "input 'y'",
        "int32",
        "float");
    assertRefused(
        scope.withName("a").operation("Assign").input(x).input(x), "Assign 'a'", "reference");
    assertRefused(
        scope.withName("s").operation("Split").input(x).input(x), "Split 's'", "must be int32");
    assertRefused(
        scope.withName("s").operation("Split").input(n).input(x).attr("num_split", 0),
        "Split 's'",
        "at least 1");
    assertRefused(
        scope.withName("s").operation("Split").input(n).input(x).attr("num_split", 1L << 40),
        "Split 's'",
        "num_split");
    assertRefused(
        scope.withName("i").operation("IdentityN").inputList(List.of()),
        "IdentityN 'i'",
        "at least 1 long");
    assertRefused(
        scope
            .withName("i")
            .operation("IdentityN")
            .flatInputs(List.of(x))
            .attr("T", List.of(DataType.FLOAT, 1)),
        "IdentityN 'i'",
        "list(type)");
    assertRefused(
        scope.withName("b").operation("BiasAdd").input(x).input(x).attr("data_format", "HWC"),
        "BiasAdd 'b'",
        "NCHW");
    assertRefused(
        scope.withName("r").operation("Relu").input(x).attr("T", new AttrValue.Placeholder("T")),
        "Relu 'r'",
        "'T'");
    assertRefused(
        scope.withName("m").operation("MatMul").input(x).input(vector()), "MatMul 'm'", "rank 2");
    assertRefused(scope.withName("q").operation("Reluu").input(x), "Reluu 'q'", "Relu");
  }

  @Test
  void build_inputOfAnotherGraph_isRefused() {
    Output elsewhere =
        TestOps.graph()
            .scope()
            .operation("Placeholder")
            .attr("dtype", DataType.FLOAT)
            .buildOutput();

    assertRefused(scope.operation("Relu").input(elsewhere), "Relu 'Relu'", "another graph");
    assertRefused(
        scope.operation("NoOp").controlInput(elsewhere.operation()),
        "NoOp 'NoOp'",
        "another graph");
  }

  @Test
  void build_refused_leavesItsNameFree() {
    scope.withName("r").operation("NoOp").build();
    assertRefused(scope.withName("r").operation("Relu").input(n), "Relu 'r_1'");

    assertThat(scope.withName("r").operation("NoOp").build().name()).isEqualTo("r_1");
  }

  @Test
  void build_reference_isPassedByReference() {
    Output variable =
        scope
            .operation("VariableV2")
            .attr("dtype", DataType.FLOAT)
            .attr("shape", Shape.of(2, 3))
            .buildOutput();
    Output assigned = scope.operation("Assign").input(variable).input(x).buildOutput();

    assertThat(assigned.isRef()).isTrue();
    assertThat(scope.operation("Identity").input(assigned).buildOutput().isRef()).isFalse();
  }

  private Output vector() {
    return placeholder(DataType.FLOAT, Shape.of(3));
  }

  private Output placeholder(DataType type, Shape shape) {
    return scope.operation("Placeholder").attr("dtype", type).attr("shape", shape).buildOutput();
  }

  private void assertRefused(OperationBuilder builder, String... parts) {
    int before = graph.size();
    assertThatThrownBy(builder::build)
        .isInstanceOf(TributaryException.class)
        .message()
        .contains(parts);
    assertThat(graph.size()).isEqualTo(before);
  }
}
