package dev.tributary.cluster.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs masters and workers through many orders of messages, losses and restarts. More seeds with
 * {@code -Dsim.seeds=100000}, others with {@code -Dsim.first=1000000}; one seed with all that
 * happens in it with {@code -Dsim.seed=17}.
 */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("sim.seeds", 2000);
  private static final long FIRST = Long.getLong("sim.first", 0);

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void cluster_manySeeds_neverHangsLosesOrLeaks() {
    List<String> failed = new ArrayList<>();
    long events = 0;
    long answers = 0;
    long failures = 0;
    for (long seed = FIRST; seed < FIRST + SEEDS && failed.size() < 10; seed++) {
      Simulation.Result result = run(seed);
      events += result.events();
      answers += result.answers();
      failures += result.failures();
      if (!result.violations().isEmpty()) {
        failed.add("seed " + seed + ": " + result.violations());
      }
    }
    System.out.printf(
        "%d seeds from %d: %d events, %d calls answered, %d of them with an error%n",
        SEEDS, FIRST, events, answers, failures);
    assertThat(failed).isEmpty();
  }

  @Test
  void trace_sameSeed_isTheSame() {
    for (long seed = 0; seed < 20; seed++) {
      assertThat(run(seed)).isEqualTo(run(seed));
    }
  }

  private static Simulation.Result run(long seed) {
    return Simulation.run(seed, new Trace(false));
  }
}
