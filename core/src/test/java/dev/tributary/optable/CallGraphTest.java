package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CallGraphTest {
  @Test
  void operation_twoListsOfOneLength_shareTheInputs() {
    OpDefBuilder def =
        new OpDefBuilder("Lists").input("a: N * T").input("b: N * int32").input("c: T");
    Ops tf = ops(def.attr("N: int").attr("T: type").build());
    OpCall call =
        OpCall.of(Tensor.of(1f), Tensor.of(2f), Tensor.of(3), Tensor.of(4), Tensor.of(5f));

    Operation operation = CallGraph.fed(tf, "Lists", call).operation();

    assertThat(operation.attributes().integer("N")).isEqualTo(2);
    assertThat(operation.attributes().type("T")).isEqualTo(DataType.FLOAT);
  }

  @Test
  void operation_listOfTypes_takesThemFromInputs() {
    OpDef def =
        new OpDefBuilder("Lists").input("a: int32").input("b: T").attr("T: list(type)").build();
    OpCall call = OpCall.of(Tensor.of(1), Tensor.of(2f), Tensor.of(true));

    Operation operation = CallGraph.fed(ops(def), "Lists", call).operation();

    assertThat(operation.attributes().types("T")).containsExactly(DataType.FLOAT, DataType.BOOL);
  }

  @Test
  void operation_twoListsOfOwnLength_needsAnAttribute() {
    OpDef def =
        new OpDefBuilder("Lists")
            .input("a: N * int32")
            .input("b: M * int32")
            .attr("N: int")
            .attr("M: int")
            .build();
    Tensor x = Tensor.of(1);

    assertThatThrownBy(() -> CallGraph.fed(ops(def), "Lists", OpCall.of(x, x, x)))
        .hasMessageContaining("must have N or M");
    Operation operation =
        CallGraph.fed(ops(def), "Lists", OpCall.of(x, x, x).attr("M", 2)).operation();
    assertThat(operation.attributes().integer("N")).isEqualTo(1);
  }

  private static Ops ops(OpDef def) {
    List<OpDeclaration> all = new ArrayList<>(Ops.registry().all());
    all.add(
        new OpDeclaration(
            def,
            ShapeRules::unknown,
            Optional.empty(),
            node -> c -> {},
            Optional.empty(),
            FlowKind.NONE,
            Set.of()));
    return new Ops(new Graph(new OpRegistry(all)).scope());
  }
}
