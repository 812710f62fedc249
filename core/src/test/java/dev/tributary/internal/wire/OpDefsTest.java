package dev.tributary.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.TestOps;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpDef;
import dev.tributary.internal.op.OpDefBuilder;
import dev.tributary.ops.Ops;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OpDefsTest {
  static Stream<OpDef> all() {
    return Stream.concat(Ops.registry().all().stream(), TestOps.registry().all().stream())
        .map(OpDeclaration::def);
  }

  @ParameterizedTest
  @MethodSource("all")
  void toOpDef_ofItsMessage_isTheSame(OpDef def) {
    assertThat(OpDefs.toOpDef(OpDefs.toProto(def))).isEqualTo(def);
  }

  @Test
  void toProto_everyPart_isWritten() {
    OpDef def =
        new OpDefBuilder("Every")
            .input("a: N * Ref(T)")
            .input("b: Tlist")
            .output("c: string")
            .attr("N: int >= 1 = 2")
            .attr("T: {float, int32}")
            .attr("Tlist: list(type)")
            .stateful()
            .commutative()
            .aggregate()
            .allowsUninitializedInput()
            .distributedCommunication()
            .deprecated(7, "gone")
            .build();

    assertThat(OpDefs.toProto(def).toString().replaceAll("\\s+", " "))
        .isEqualTo(
            "name: \"Every\" input_arg { name: \"a\" type_attr: \"T\" number_attr: \"N\" is_ref:"
                + " true } input_arg { name: \"b\" type_list_attr: \"Tlist\" } output_arg { name:"
                + " \"c\" type: DT_STRING } attr { name: \"N\" type: \"int\" default_value { i: 2 }"
                + " has_minimum: true minimum: 1 } attr { name: \"T\" type: \"type\" allowed_values"
                + " { list { type: DT_FLOAT type: DT_INT32 } } } attr { name: \"Tlist\" type:"
                + " \"list(type)\" } deprecation { version: 7 explanation: \"gone\" } is_aggregate:"
                + " true is_stateful: true is_commutative: true allows_uninitialized_input: true"
                + " is_distributed_communication: true ");
  }
}
