package dev.tributary.internal.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random graphs compute the same on many devices as on one. */
@NoLeaks
@Timeout(120)
@Tag("slow")
class RandomProgramsTest {
  private static final int PROGRAMS = 30;
  private static final int STEPS = 2;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void values_onManyDevicesAndOnOne_areTheSame(long firstSeed) {
    for (int i = 0; i < PROGRAMS; i++) {
      long seed = firstSeed * 1000 + i;
      List<float[]> expected = runOnOneDevice(seed);
      List<float[]> actual = runOnMany(seed, 1 + i % 3, 1 + i / 3 % 2);
      for (int f = 0; f < expected.size(); f++) {
        assertThat(actual.get(f))
            .as("value %d of the program with seed %d", f, seed)
            .containsExactly(expected.get(f), within(1e-4f));
      }
    }
  }

  private static List<float[]> runOnOneDevice(long seed) {
    List<float[]> values = new ArrayList<>();
    try (RandomProgram program = RandomProgram.anywhere(seed);
        Session session = Session.local(program.graph())) {
      session.run(Map.of(), List.of(), program.initializers()).close();
      for (int i = 0; i < STEPS; i++) {
        try (StepResult result = session.run(Map.of(), program.fetches(), List.of())) {
          result.stream().forEach(value -> values.add(value.toFloats()));
        }
      }
    }
    return values;
  }

  private static List<float[]> runOnMany(long seed, int tasks, int devices) {
    List<float[]> values = new ArrayList<>();
    try (RandomProgram program = RandomProgram.over(seed, tasks, devices);
        OneProcessCluster cluster = new OneProcessCluster(tasks, devices)) {
      cluster.run(program.graph(), List.of(), program.initializers());
      for (int i = 0; i < STEPS; i++) {
        for (Tensor value : cluster.run(program.graph(), program.fetches(), List.of())) {
          values.add(value.toFloats());
          value.close();
        }
      }
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("the program with seed " + seed + ": " + e.getMessage(), e);
    }
    return values;
  }
}
