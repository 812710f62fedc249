package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Variants that stock saves are restored here, and the other way round. */
@RequiresStockTensorFlow
class VariantCheckpointTest {
  @TempDir Path folder;

  @Test
  void lists_savedHereOrInStock_areRestoredInTheOther() {
    Ops tf = Ops.create();
    Output prefix = tf.placeholder(DataType.STRING, Shape.scalar());
    Output names = tf.constant(new String[] {"list", "lists"});
    Output whole = tf.constant(new String[] {"", ""});
    Output list = list(tf, new float[] {1, 2, 3});
    Output lists =
        tf.array.pack(List.of(list(tf, new float[] {4}), list(tf, new float[] {5, 6})), 0);
    Operation save = tf.io.saveV2(prefix, names, whole, List.of(list, lists));
    List<Output> restored =
        tf.io.restoreV2(prefix, names, whole, List.of(DataType.VARIANT, DataType.VARIANT));
    Output first = values(tf, restored.get(0));
    Output last = values(tf, tf.gather(restored.get(1), tf.constant(1)));

    try (Session here = Sessions.local(tf.graph());
        StockSession stock = new StockSession(GraphDefs.toProto(tf.graph()));
        Tensor ours = Tensor.scalar(folder.resolve("ours").toString());
        Tensor stocks = Tensor.scalar(folder.resolve("stocks").toString())) {
      here.runner().feed(prefix, ours).target(save).run().close();
      List<Tensor> there =
          stock.run(Map.of(prefix.name(), ours), List.of(first.name(), last.name()), List.of());
      assertThat(there.get(0).toFloats()).containsExactly(1, 2, 3);
      assertThat(there.get(1).toFloats()).containsExactly(5, 6);
      there.forEach(Tensor::close);

      stock.run(Map.of(prefix.name(), stocks), List.of(), List.of(save.name()));
      try (StepResult result =
          here.runner().feed(prefix, stocks).fetch(List.of(first, last)).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(1, 2, 3);
        assertThat(result.get(1).toFloats()).containsExactly(5, 6);
      }
    }
  }

  private static Output list(Ops tf, float[] values) {
    return tf.scope()
        .operation("TensorListFromTensor")
        .input(tf.constant(values))
        .input(tf.constant(new int[0]))
        .buildOutput();
  }

  private static Output values(Ops tf, Output list) {
    return tf.scope()
        .operation("TensorListStack")
        .input(list)
        .input(tf.constant(new int[0]))
        .attr("element_dtype", DataType.FLOAT)
        .buildOutput();
  }
}
