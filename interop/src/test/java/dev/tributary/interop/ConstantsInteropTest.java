package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.TextFormat;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.GraphDef;

/** Constants of the types that few graphs have are those of stock, in any form of a message. */
@RequiresStockTensorFlow
class ConstantsInteropTest {
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "DT_HALF, half_val: 15360 half_val: 49152",
    "DT_BFLOAT16, half_val: 16256 half_val: 49152",
    "DT_COMPLEX64, scomplex_val: 1 scomplex_val: -2",
    "DT_COMPLEX128, dcomplex_val: 1 dcomplex_val: -2 dcomplex_val: 3 dcomplex_val: 0",
    "DT_UINT8, int_val: 200 int_val: 7",
    "DT_UINT16, int_val: 60000 int_val: 7",
    "DT_UINT32, uint32_val: 4000000000 uint32_val: 7",
    "DT_UINT64, uint64_val: 18000000000000000000 uint64_val: 7",
    "DT_INT8, int_val: -100",
    "DT_INT16, int_val: -30000",
    "DT_QINT8, int_val: -100 int_val: 5",
    "DT_QUINT8, int_val: 200 int_val: 5",
    "DT_QINT16, int_val: -30000 int_val: 5",
    "DT_QUINT16, int_val: 60000 int_val: 5",
    "DT_QINT32, int_val: -70000 int_val: 5",
    "DT_BOOL, bool_val: true"
  })
  void constant_ofARareType_isThatOfStock(String type, String values) throws Exception {
    GraphDef def =
        TextFormat.parse(
            "versions { producer: 1087 } node { name: 'c' op: 'Const' attr { key: 'dtype' value {"
                + (" type: " + type + " } } attr { key: 'value' value { tensor { dtype: " + type)
                + " tensor_shape { dim { size: 3 } } "
                + values
                + " } } } } node { name: 'i' op: 'Identity' input: 'c' attr { key: 'T' value {"
                + (" type: " + type + " } } }"),
            GraphDef.class);
    Ops tf = Ops.create();
    GraphDefs.importInto(tf.graph(), def);
    Output fetch = tf.graph().operation("i").output(0);
    try (Session ours = Sessions.local(tf.graph());
        StockSession stock = new StockSession(def);
        StepResult result = ours.run(Feeds.none(), List.of(fetch));
        Tensor wanted = stock.run(Map.of(), List.of("i:0"), List.of()).get(0)) {
      Tensor got = result.get(0);
      assertThat(got.type()).isEqualTo(wanted.type());
      assertThat(got.shape()).isEqualTo(wanted.shape());
      assertThat(got.toBytes()).isEqualTo(wanted.toBytes());
    } finally {
      tf.graph().close();
    }
  }
}
