package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.wire.OpDefs;
import dev.tributary.ops.Ops;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.tensorflow.proto.OpDef;

/** The signature of every op is stock TensorFlow's, but for what only people and compilers read. */
@RequiresStockTensorFlow
class OpDefsTest {
  @TestFactory
  Stream<DynamicTest> signature_ofEachOp_equalsStock() {
    return Ops.registry().all().stream()
        .map(OpDeclaration::def)
        .map(
            def ->
                DynamicTest.dynamicTest(
                    def.name(),
                    () ->
                        assertThat(OpDefs.toProto(def).toString())
                            .as(def.name())
                            .isEqualTo(bare(StockTensorFlow.op(def.name())).toString())));
  }

  @Test
  void signature_otherDefault_differs() {
    OpDef stock = bare(StockTensorFlow.op("MatMul"));
    OpDef.Builder other = stock.toBuilder();
    other.getAttrBuilder(0).setDefaultValue(Nodes.flag(true));

    assertThat(other.build()).isNotEqualTo(stock);
  }

  private static OpDef bare(OpDef stock) {
    OpDef.Builder bare = stock.toBuilder().clearSummary().clearDescription().clearControlOutput();
    bare.getInputArgBuilderList().forEach(OpDefsTest::strip);
    bare.getOutputArgBuilderList().forEach(OpDefsTest::strip);
    bare.getAttrBuilderList().forEach(OpDef.AttrDef.Builder::clearDescription);
    return bare.build();
  }

  private static void strip(OpDef.ArgDef.Builder argument) {
    argument.clearDescription().clearHandleData().clearExperimentalFullType();
  }
}
