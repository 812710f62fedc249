package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.text.Print;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StringOpsTest {
  private final Ops tf = Ops.create();

  @Test
  void assertThat_falseCondition_failsWithTheData() {
    Output holds = tf.constant(false);
    Operation assertion =
        tf.strings.assertThat(holds, tf.constant(new String[] {"x is"}), tf.constant(1, 2, 3, 4));

    assertThatThrownBy(() -> run(assertion))
        .hasMessageContaining("assertion failed: [x is] [1 2 3...]");
  }

  @Test
  void assertThat_conditionOfManyElements_isRefused() {
    Operation assertion = tf.strings.assertThat(tf.constant(true, true), tf.constant(1f));

    assertThatThrownBy(() -> run(assertion)).hasMessageContaining("In[0] should be a scalar: [2]");
  }

  @Test
  void stringToNumber_whatIsNone_isNamed() {
    for (String text :
        new String[] {"abc", "", "1x", "1e", "--1", "1f", "0x1p3", "1 2", "infinity", "1_0"}) {
      assertNoNumber(text, DataType.FLOAT);
    }
    for (String text : new String[] {"1.5", "+1", " ", "2147483648", "0x10", "inf"}) {
      assertNoNumber(text, DataType.INT32);
    }
    assertNoNumber("9223372036854775808", DataType.INT64);
  }

  @Test
  void stringJoin_shapesThatDiffer_areRefused() {
    Output a = tf.constant("a", "b");
    Output b = tf.constant("a", "b", "c");

    assertThatThrownBy(() -> tf.strings.stringJoin(List.of(a, b), ""))
        .hasMessageContaining("[2] vs. [3]");
  }

  @Test
  void asString_settingsThatContradict_areRefused() {
    Output one = tf.constant(1);
    Operation precise = tf.scope().operation("AsString").input(one).attr("precision", 2).build();
    Operation odd = tf.scope().operation("AsString").input(one).attr("fill", "x").build();

    assertThatThrownBy(() -> run(precise))
        .hasMessageContaining("precision not supported for datatype int32");
    assertThatThrownBy(() -> run(odd)).hasMessageContaining("Fill argument not supported: \"x\"");
  }

  @Test
  void print_limitedToTwo_writesTwoLinesAndPassesAll() {
    List<String> lines = new ArrayList<>();
    Ops printing = new Ops(new Graph(registryPrintingTo(lines)).scope());
    Output x = printing.constant(1f);
    Output seen =
        printing
            .scope()
            .operation("Print")
            .input(x)
            .inputList(List.of(printing.constant(1, 2, 3, 4), printing.constant("b")))
            .attr("message", "now ")
            .attr("first_n", 2)
            .buildOutput();

    try (Session session = Session.local(printing.graph())) {
      for (int i = 0; i < 3; i++) {
        try (var result = session.runner().fetch(seen).run()) {
          assertThat(result.get(0).floatValue()).isEqualTo(1f);
        }
      }
    }

    assertThat(lines).containsExactly("now [1 2 3...][b]", "now [1 2 3...][b]");
  }

  @Test
  void printV2_streamThatIsNone_isRefused() {
    assertThatThrownBy(() -> run(printTo("nowhere")))
        .hasMessageContaining("Unknown output stream: nowhere");
    assertThatThrownBy(() -> run(printTo("file:///tmp/x")))
        .hasMessageContaining("does not append to files");
  }

  private Operation printTo(String stream) {
    return tf.scope()
        .operation("PrintV2")
        .input(tf.constant("x"))
        .attr("output_stream", stream)
        .build();
  }

  private void assertNoNumber(String text, DataType type) {
    Output number = tf.strings.stringToNumber(tf.constant(text), type);

    assertThatThrownBy(() -> run(number.operation()))
        .as("'%s' as %s", text, type)
        .hasMessageContaining("could not correctly convert string: " + text)
        .extracting(e -> ((TributaryException) e).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  private void run(Operation operation) {
    try (Session session = Session.local(tf.graph())) {
      session.run(operation);
    }
  }

  private static OpRegistry registryPrintingTo(List<String> lines) {
    List<OpDeclaration> all = new ArrayList<>();
    for (OpDeclaration op : Ops.registry().all()) {
      all.add(
          op.name().equals("Print")
              ? new OpDeclaration(
                  op.def(),
                  op.shape(),
                  op.value(),
                  node -> new Print(node, lines::add),
                  op.gradient(),
                  op.flow(),
                  op.flags())
              : op);
    }
    return new OpRegistry(all);
  }
}
