package dev.tributary.examples.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.testing.JavaProgram;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number recognition on a parameter server and two workers, each a process. */
@Tag("processes")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class NumberRecognitionTest {
  @ParameterizedTest
  @ValueSource(strings = {"async", "sync"})
  void numberRecognition_twoWorkers_readsMostDigits(String consistency) throws Exception {
    List<String> at = FreePorts.addresses(3);
    String workers = at.get(1) + "," + at.get(2);
    try (JavaProgram ps = start(at.get(0), workers, "ps", "0", consistency);
        JavaProgram chief = start(at.get(0), workers, "worker", "0", consistency);
        JavaProgram second = start(at.get(0), workers, "worker", "1", consistency)) {
      assertThat(ModelExamplesTest.accuracy(accuracies(chief))).isGreaterThan(0.85);
      assertThat(ModelExamplesTest.accuracy(accuracies(second))).isGreaterThan(0.85);
      ps.awaitSuccess();
    }
  }

  private static List<String> accuracies(JavaProgram program) throws Exception {
    return program.awaitSuccess().stream().filter(line -> line.startsWith("accuracy")).toList();
  }

  private static JavaProgram start(String... flags) throws Exception {
    return JavaProgram.start(NumberRecognition.class, flags);
  }
}
