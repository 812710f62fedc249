package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.bench.network.LstmNetwork;
import dev.tributary.bench.network.MobileNetwork;
import dev.tributary.bench.network.Network;
import dev.tributary.bench.network.TransformerNetwork;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads that are measured beside stock TensorFlow in small, in both. */
@Tag("slow") // Loads stock TensorFlow, which the fast lane leaves out.
@EnabledOnOs(
    value = OS.LINUX,
    architectures = {"amd64", "x86_64"},
    disabledReason = "stock TensorFlow's natives are here for linux-x86_64 only")
class StockPeerTest {
  static Stream<Named<Supplier<Network>>> networks() {
    LstmNetwork lstm = new LstmNetwork(5, 7, 3);
    TransformerNetwork transformer = new TransformerNetwork(8, 2, 6, 3);
    Map<String, Supplier<Network>> all =
        Map.of(
            "lstm", lstm::inference,
            "lstm training", lstm::training,
            "mobilenet", () -> new MobileNetwork(2, 64, 4, 10).inference(),
            "transformer", transformer::inference,
            "transformer training", transformer::training,
            "calls", () -> FunctionSteps.calls(3),
            "loop", () -> FunctionSteps.loop(3),
            "data map", () -> DatasetSteps.map(2000, 2),
            "data records", () -> DatasetSteps.records(300),
            "data images", () -> DatasetSteps.images(200, 2));
    return all.entrySet().stream().map(entry -> Named.of(entry.getKey(), entry.getValue()));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void network_inBothRuntimes_computesTheSame(Supplier<Network> network) {
    assertThat(StockPeer.compared(network)).contains("values up to");
  }

  @Test
  void model_loadedByBoth_computesTheSame() {
    for (ModelLoad.Runtime runtime :
        List.<ModelLoad.Runtime>of(ModelLoad::tributary, StockStep::ofModel)) {
      // Fails unless the model computes what it should.
      List<String> said = Listener.said(new ModelLoad(3, 10, 20, runtime), "");
      assertThat(said).hasSize(2);
      assertThat(said.get(0))
          .startsWith("RESULT {\"bench\":\"model-load\",\"params\":{\"nodes\":32");
    }
  }

  @Test
  void line_ofANetwork_reportsItsFigure() {
    Supplier<Network> network = new LstmNetwork(5, 7, 3)::inference;
    NetworkLine line =
        new NetworkLine("lstm", Map.of("batch", 3), NetworkLine.Unit.EXAMPLES, 3, network);
    for (NetworkStep.Runtime runtime :
        List.<NetworkStep.Runtime>of(NetworkStep::tributary, StockStep::of)) {
      assertThat(line.measure(Listener.TRIAL, runtime).toJson())
          .startsWith("{\"bench\":\"lstm\",\"params\":{\"batch\":3},\"unit\":\"examples/s\"");
    }
  }
}
