package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphDef;

/**
 * Stock computes with the kernels that the build asks for, whatever the CPU and the caller's
 * environment: in this process, and in those that tests start.
 */
@RequiresStockTensorFlow
class StockKernelsTest {
  private static final String RESERVED = "node:5";

  private final StockKernels pinned =
      StockKernels.valueOf(System.getProperty("tributary.stock.kernels"));

  @Test
  void inUse_inAnyEnvironment_isThePinnedSet() {
    assertThat(StockKernels.inUse()).isEqualTo(pinned);
  }

  @Test
  void batchNorm_inThisProcess_hasTheShapeOfThePinnedKernels() {
    Map<String, Tensor> feeds = feeds();
    try (StockSession session = new StockSession(graph(feeds));
        Tensor reserved = session.run(feeds, List.of(RESERVED), List.of()).get(0)) {
      assertThat(reserved.shape()).isEqualTo(expectedShape());
    } finally {
      feeds.values().forEach(Tensor::close);
    }
  }

  @Test
  void batchNorm_onAServer_hasTheShapeOfThePinnedKernels() throws Exception {
    Map<String, Tensor> feeds = feeds();
    ClusterTarget server = Clusters.of(Clusters.Mix.ALL_STOCK).target(TestCluster.Task.PS);
    try (StockSession session = server.openStock(graph(feeds));
        Tensor reserved = session.run(feeds, List.of(RESERVED), List.of()).get(0)) {
      assertThat(reserved.shape()).isEqualTo(expectedShape());
    } finally {
      feeds.values().forEach(Tensor::close);
    }
  }

  private Shape expectedShape() {
    return pinned == StockKernels.EIGEN ? Shape.scalar() : Shape.of(0);
  }

  private static GraphDef graph(Map<String, Tensor> feeds) {
    return StockTensorFlow.graphOf("FusedBatchNormV3", Map.of(), List.copyOf(feeds.values()));
  }

  private static Map<String, Tensor> feeds() {
    Map<String, Tensor> feeds = new LinkedHashMap<>();
    feeds.put("input0:0", Tensor.of(Shape.of(2, 1, 1, 1), new float[] {1, 3}));
    for (int i = 1; i < 5; i++) {
      feeds.put("input" + i + ":0", Tensor.of(Shape.of(1), new float[] {1}));
    }
    return feeds;
  }
}
