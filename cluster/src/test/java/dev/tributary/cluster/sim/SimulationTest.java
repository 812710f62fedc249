package dev.tributary.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs masters and workers through many orders of messages, losses and restarts. More seeds with
 * {@code -Dsim.seeds=100000}, others with {@code -Dsim.first=1000000}. A seed that fails is run
 * again, and all that happened in it is printed.
 */
@ExtendWith(QuietLog.class)
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("sim.seeds", 250);
  private static final long FIRST = Long.getLong("sim.first", 0);

  @Test
  @Tag("slow")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void cluster_manySeeds_neverHangsLosesOrLeaks() {
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      requireNoViolation(seed);
    }
  }

  /** Seeds that found something. */
  @ParameterizedTest
  @ValueSource(longs = {6, 58, 75, 222})
  void workers_closedWhileTheyCannotBeReached_forgetTheSessionLater(long seed) {
    requireNoViolation(seed);
  }

  @Test
  void trace_sameSeed_isTheSame() {
    for (long seed = 0; seed < 12; seed++) {
      assertThat(run(seed, new Trace(false))).isEqualTo(run(seed, new Trace(false)));
    }
  }

  /** A check that never fails is worth nothing. */
  @Test
  void seeds_someOfThem_meetFaultsAndSuccess() {
    List<Simulation.Result> results = new ArrayList<>();
    for (long seed = 0; seed < 40; seed++) {
      results.add(run(seed, new Trace(false)));
    }
    int answers = results.stream().mapToInt(Simulation.Result::answers).sum();
    int failures = results.stream().mapToInt(Simulation.Result::failures).sum();
    assertThat(failures).isGreaterThan(100).isLessThan(answers / 2);
    assertThat(results.stream().map(Simulation.Result::traceHash).distinct()).hasSize(40);
  }

  private static void requireNoViolation(long seed) {
    Simulation.Result result = run(seed, new Trace(false));
    if (!result.violations().isEmpty()) {
      Trace again = new Trace(true);
      run(seed, again);
      again.lines().forEach(System.out::println);
      throw new AssertionError("seed " + seed + ": " + result.violations());
    }
  }

  private static Simulation.Result run(long seed, Trace trace) {
    return Simulation.run(seed, trace);
  }
}
