package dev.tributary.examples.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.testing.JavaProgram;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The programs of this package, each in a process of its own, which may leave no tensor open. */
@Tag("processes")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DistributionExamplesTest {
  @Test
  void switchingStrategies_all_trainAlike() throws Exception {
    try (JavaProgram program = JavaProgram.startLeakChecked(SwitchingStrategies.class)) {
      List<String> losses =
          program.awaitSuccess().stream()
              .filter(line -> line.contains(": loss "))
              .map(line -> line.substring(line.indexOf(": loss ") + 7))
              .toList();
      assertThat(losses).hasSize(4).containsOnly(losses.get(0));
      assertThat(Double.parseDouble(losses.get(0))).isLessThan(0.01);
    }
  }

  @Test
  void ownAllReduce_halfFloats_sumsOnEachDevice() throws Exception {
    try (JavaProgram program = JavaProgram.startLeakChecked(OwnAllReduce.class)) {
      assertThat(program.awaitSuccess()).filteredOn(line -> line.startsWith("3.")).hasSize(3);
    }
  }
}
