package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.optable.Draw;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What failing string ops say, tensors' contents above all, is what stock says. */
@RequiresStockTensorFlow
class StockMessagesTest {
  @ParameterizedTest
  @EnumSource(
      names = {"FLOAT", "DOUBLE", "INT32", "INT64", "UINT8", "INT8", "INT16", "BFLOAT16", "BOOL"})
  void assertion_anyData_showsItAsStockDoes(DataType type) {
    for (long seed = 1; seed <= 10; seed++) {
      Draw draw = new Draw(seed, type, Draw.Size.ORDINARY);
      double scale = Math.pow(10, draw.integer(-8, 20));
      Shape shape = draw.shape(0, 4);
      Tensor data =
          type.isFloating() ? draw.tensor(type, shape, -scale, scale) : draw.tensor(shape);

      requireSameAssertion(data, draw.integer(-1, 8));
    }
  }

  @Test
  void assertion_anyBytes_areEscapedAsStockDoes() {
    Random random = new Random(3);
    Object[] strings = new Object[50];
    for (int i = 0; i < strings.length; i++) {
      byte[] bytes = new byte[random.nextInt(6)];
      for (int j = 0; j < bytes.length; j++) {
        bytes[j] = (byte) random.nextInt(128);
      }
      strings[i] = bytes;
    }

    requireSameAssertion(Tensor.ofObjects(DataType.STRING, Shape.of(5, 10), strings), -1);
    requireSameAssertion(Tensor.of("\u00e9\u20ac", "\ud83d\ude00"), -1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc",
        "",
        "1x",
        "1e",
        "--1",
        "1f",
        "0x",
        "0x1p3",
        "1 2",
        "infinity",
        "nan(1)",
        "."
      })
  void stringToNumber_noNumber_isRefusedAsStockDoes(String text) {
    for (DataType type : List.of(DataType.FLOAT, DataType.DOUBLE, DataType.INT32, DataType.INT64)) {
      Tensor input = Tensor.scalar(text);
      Ops tf = Ops.create();
      Output number = tf.strings.stringToNumber(tf.constant(input), type);
      StockException stock =
          catchThrowableOfType(
              StockException.class,
              () ->
                  StockTensorFlow.runOp(
                      "StringToNumber", Map.of("out_type", Nodes.type(type)), List.of(input)));

      assertThat(failure(tf, number)).endsWith(firstLine(stock.getMessage()));
    }
  }

  private static void requireSameAssertion(Tensor data, int summarize) {
    Tensor no = Tensor.scalar(false);
    var attributes = Map.of("summarize", Nodes.number(summarize));
    StockException stock =
        catchThrowableOfType(
            StockException.class,
            () -> StockTensorFlow.runOp("Assert", attributes, List.of(no, data, data)));
    Ops tf = Ops.create();
    Output shown = tf.constant(data);
    var assertion =
        tf.scope()
            .operation("Assert")
            .input(tf.constant(no))
            .inputList(List.of(shown, shown))
            .attr("summarize", summarize)
            .build();
    Output after = tf.withControlDependencies(assertion).constant(1f);

    assertThat(failure(tf, after))
        .as("%s, summarize %d", data, summarize)
        .endsWith(firstLine(stock.getMessage()));
  }

  private static String failure(Ops tf, Output fetch) {
    try (Session session = Sessions.local(tf.graph())) {
      return catchThrowableOfType(
              TributaryException.class, () -> session.runner().fetch(fetch).run())
          .getMessage();
    }
  }

  /** Stock says in further lines which node it was. */
  private static String firstLine(String message) {
    int end = message.indexOf("\n\t");
    return end < 0 ? message : message.substring(0, end);
  }
}
