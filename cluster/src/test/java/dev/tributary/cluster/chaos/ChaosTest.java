package dev.tributary.cluster.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.server.FastPaths;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Tasks of a training cluster die, freeze, come back and lose their network at random moments. No
 * wait passes its deadline, errors name the task, the others go on to serve, and what was
 * acknowledged stays.
 *
 * <p>{@code -Dtributary.chaos.rounds=100} is the long form; {@code -Dtributary.chaos.seed=N}
 * repeats one.
 */
@Tag("chaos")
@Tag("processes")
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "no process can be stopped and resumed")
class ChaosTest {
  private static final int ROUNDS = Integer.getInteger("tributary.chaos.rounds", 4);
  private static final Duration SILENCE = Duration.ofSeconds(3);
  private static final Duration STEP_LIMIT = Duration.ofSeconds(10);
  private static final Duration OPEN_LIMIT = Duration.ofSeconds(30);

  /** What a client waits longer than the master before it gives up itself. */
  private static final Duration GRACE = Duration.ofSeconds(2);

  /** How long a session may take to close when a task does not answer. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(30);

  private final long seed = Long.getLong("tributary.chaos.seed", 20261116);
  private final Random random = new Random(seed);
  private final List<Fault> upcoming = new ArrayList<>();

  @Test
  void cluster_onManyMachines_keepsItsPromises() throws Exception {
    run(FastPaths.PUSHED, List.of(Fault.values()));
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "all of 127.0.0.0/8 is there without setting up")
  void cluster_withStreamsOverTheNetwork_keepsItsPromises() throws Exception {
    run(FastPaths.NETWORK, List.of(Fault.values()));
  }

  /** Nobody can cut the streams between them. */
  @Test
  void cluster_onOneMachine_keepsItsPromises() throws Exception {
    run(FastPaths.ALL, List.of(Fault.KILL, Fault.RESTART, Fault.FREEZE, Fault.DELAY));
  }

  private void run(FastPaths paths, List<Fault> faults) throws Exception {
    System.out.println("chaos: seed " + seed + ", " + ROUNDS + " rounds");
    try (ChaosCluster cluster = new ChaosCluster(SILENCE, paths);
        Counters counters = new Counters()) {
      try (Session session = open(cluster, counters)) {
        for (int i = 0; i < ChaosCluster.PARAMETER_SERVERS; i++) {
          counters.reset(session, i);
        }
      }
      for (int round = 0; round < ROUNDS; round++) {
        Fault fault = nextFault(faults);
        TaskName victim = cluster.tasks().get(random.nextInt(cluster.tasks().size()));
        String name = String.format("seed %d, round %d: %s %s", seed, round, fault, victim);
        long start = System.nanoTime();
        try {
          round(cluster, counters, fault, victim);
        } catch (Exception | AssertionError e) {
          throw new AssertionError(name + ": " + e.getMessage(), e);
        }
        System.out.println(name + ", " + since(start).toMillis() + " ms");
      }
    }
  }

  private void round(ChaosCluster cluster, Counters counters, Fault fault, TaskName victim)
      throws Exception {
    Session session = open(cluster, counters);
    int worker = random.nextInt(ChaosCluster.WORKERS);
    int before = random.nextInt(10);
    for (int i = 0; i < before; i++) {
      counters.step(session, worker++ % ChaosCluster.WORKERS, STEP_LIMIT);
    }
    CompletableFuture<Void> inflicted = inflictSoon(cluster, fault, victim);
    Optional<TributaryException> failure = Optional.empty();
    for (int after = 0; failure.isEmpty() && after <= ChaosCluster.WORKERS; ) {
      failure = step(counters, session, worker++ % ChaosCluster.WORKERS);
      after += inflicted.isDone() ? 1 : 0;
    }
    inflicted.get(1, TimeUnit.MINUTES);
    assertThat(failure.isPresent()).as("a step failed").isEqualTo(fault.breaks());
    failure.ifPresent(e -> requireNames(cluster, victim, e));
    if (fault.breaks()) {
      requireSurvivorsServe(cluster, victim);
    }
    cluster.heal(fault, victim);
    long closing = System.nanoTime();
    session.close();
    assertThat(since(closing)).as("closing").isLessThan(CLOSE_LIMIT);
    requireKept(cluster, counters, fault, victim);
  }

  /** At some moment within the next steps. */
  private CompletableFuture<Void> inflictSoon(ChaosCluster cluster, Fault fault, TaskName victim) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            cluster.inflict(fault, victim);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        CompletableFuture.delayedExecutor(random.nextInt(50), TimeUnit.MILLISECONDS));
  }

  private static Optional<TributaryException> step(Counters counters, Session session, int worker) {
    long start = System.nanoTime();
    try {
      counters.step(session, worker, STEP_LIMIT);
      return Optional.empty();
    } catch (TributaryException e) {
      return Optional.of(e);
    } finally {
      assertThat(since(start)).as("a step").isLessThan(STEP_LIMIT.plus(GRACE));
    }
  }

  private static void requireNames(ChaosCluster cluster, TaskName victim, TributaryException e) {
    assertThat(e.code()).as(e.getMessage()).isIn(ErrorCode.UNAVAILABLE, ErrorCode.ABORTED);
    if (victim.equals(ChaosCluster.MASTER)) {
      assertThat(e.getMessage())
          .containsAnyOf(cluster.address(victim), victim.toString(), "this master");
    } else {
      assertThat(e).hasMessageContaining(victim.toString());
    }
  }

  private static void requireSurvivorsServe(ChaosCluster cluster, TaskName victim) {
    for (TaskName survivor : cluster.tasks()) {
      if (!survivor.equals(victim)) {
        SessionOptions alone =
            SessionOptions.defaults()
                .withCluster(
                    ClusterOptions.defaults()
                        .withOpenTimeout(OPEN_LIMIT)
                        .withDeviceFilters(survivor.toString()));
        Ops tf = Ops.create();
        Output two = tf.add(tf.constant(1), tf.constant(1));
        try (Graph graph = tf.graph();
            Session session = Session.open(cluster.target(survivor), graph, alone);
            StepResult result = session.runner().fetch(two).run()) {
          assertThat(result.get(0).intValue()).as("%s serves", survivor).isEqualTo(2);
        }
      }
    }
  }

  /** In a fresh session; a parameter server that was started anew has forgotten its counter. */
  private static void requireKept(
      ChaosCluster cluster, Counters counters, Fault fault, TaskName victim) {
    try (Session session = open(cluster, counters)) {
      for (int i = 0; i < ChaosCluster.PARAMETER_SERVERS; i++) {
        boolean forgotten = fault.forgets() && victim.equals(ChaosCluster.ps(i));
        assertThat(counters.isSet(session, i)).as("counter %d is set", i).isEqualTo(!forgotten);
        if (forgotten) {
          counters.reset(session, i);
        } else {
          counters.requireKept(session, i);
        }
      }
    }
  }

  /** Each kind has its turn before one comes again. */
  private Fault nextFault(List<Fault> faults) {
    if (upcoming.isEmpty()) {
      upcoming.addAll(faults);
      Collections.shuffle(upcoming, random);
    }
    return upcoming.remove(upcoming.size() - 1);
  }

  private static Session open(ChaosCluster cluster, Counters counters) {
    SessionOptions options =
        SessionOptions.defaults()
            .withCluster(
                ClusterOptions.defaults().withOpenTimeout(OPEN_LIMIT).withSilenceLimit(SILENCE));
    return Session.open(cluster.target(ChaosCluster.MASTER), counters.graph(), options);
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
