package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.interop.Clusters.Mix;
import dev.tributary.interop.StockModels.Variables;
import dev.tributary.interop.TestCluster.Task;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/**
 * One ps and two workers train models to the losses that an all-stock cluster gives, whoever runs
 * the tasks, whoever is the master, and whoever asks.
 */
@RequiresStockTensorFlow
@Timeout(120)
class ClusterTrainingTest {
  private static final int STEPS = 50;
  private static final int BATCH = 32;
  private static final Offset<Float> CLOSE = Offset.offset(1e-4f);

  private static final Map<String, StockModel> MODELS = models();
  private static final Map<String, float[]> STOCK_LOSSES = new HashMap<>();

  static Stream<Arguments> settings() {
    return Stream.of(Mix.values())
        .flatMap(mix -> Stream.of(ClusterClient.Kind.values()).map(c -> Arguments.of(mix, c)))
        .flatMap(a -> Stream.of(Task.PS, Task.WORKER_0).map(m -> with(a, m)))
        .flatMap(a -> MODELS.keySet().stream().map(m -> with(a, m)));
  }

  @ParameterizedTest(name = "{0}, {1} client, {2} is master, {3}")
  @MethodSource("settings")
  void training_onCluster_givesLossesOfStockCluster(
      Mix mix, ClusterClient.Kind client, Task master, String model) throws Exception {
    float[] losses = train(mix, client, master, model);

    assertThat(losses[STEPS - 1]).as("falls").isLessThan(losses[0] / 2);
    assertThat(losses).containsExactly(stockLosses(model), CLOSE);
  }

  private static synchronized float[] stockLosses(String model) throws Exception {
    float[] known = STOCK_LOSSES.get(model);
    if (known == null) {
      known = train(Mix.ALL_STOCK, ClusterClient.Kind.STOCK, Task.WORKER_0, model);
      STOCK_LOSSES.put(model, known);
    }
    return known;
  }

  /** Trains on worker 1; each setting has its variables for itself. */
  private static float[] train(Mix mix, ClusterClient.Kind kind, Task master, String name)
      throws Exception {
    StockModel model = MODELS.get(name);
    String container = String.join("-", name, kind.name(), master.job()).replace(' ', '-');
    GraphDef graph = ClusterPlacement.on(Task.WORKER_1, container, model.graph());
    Map<String, Tensor> batch = model.batch(BATCH, 1);
    float[] losses = new float[STEPS];
    try (ClusterClient client = kind.open(graph, Clusters.of(mix).target(master))) {
      client.runTarget(model.init());
      for (int step = 0; step < STEPS; step++) {
        try (Tensor loss =
            client.run(batch, List.of(model.loss()), List.of(model.train())).get(0)) {
          losses[step] = loss.floatValue();
        }
      }
    } finally {
      batch.values().forEach(Tensor::close);
    }
    return losses;
  }

  private static Map<String, StockModel> models() {
    Map<String, StockModel> models = new LinkedHashMap<>();
    for (Variables kind : Variables.values()) {
      models.put("perceptron " + kind, StockModels.perceptron(kind));
      models.put("convolutional " + kind, StockModels.convolutional(kind));
    }
    return models;
  }

  private static Arguments with(Arguments arguments, Object more) {
    return Arguments.of(Stream.concat(Stream.of(arguments.get()), Stream.of(more)).toArray());
  }
}
