package dev.tributary.cluster.sim;

import dev.tributary.cluster.spec.TaskName;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * What goes wrong in a simulation, as its seed decides. A quarter of the seeds have no faults, a
 * quarter only lose and delay messages, a quarter only end tasks and cut connections, the rest do
 * it all.
 */
record Faults(boolean messagesGetLost, boolean tasksCrash) {
  private static final int MOST_CRASHES = 4;
  private static final double WHEN_MILLIS = 150;

  static Faults of(long seed) {
    return new Faults((seed & 1) != 0, (seed & 2) != 0);
  }

  boolean any() {
    return messagesGetLost || tasksCrash;
  }

  NetworkConditions conditions(Random random) {
    return messagesGetLost
        ? new NetworkConditions(
            random.nextDouble() * 0.04, random.nextDouble() * 0.01, random.nextDouble() * 0.02)
        : NetworkConditions.good();
  }

  /** Plans crashes, stops, starts and cuts for the next moments. */
  void plan(
      SimulatedCluster cluster,
      Network network,
      Scheduler scheduler,
      Random random,
      Ledger ledger) {
    int count = tasksCrash ? 1 + random.nextInt(MOST_CRASHES) : 0;
    List<TaskName> tasks = cluster.tasks();
    for (int i = 0; i < count; i++) {
      TaskName task = tasks.get(random.nextInt(tasks.size()));
      Duration when = millis(random.nextDouble() * WHEN_MILLIS);
      Duration time = millis(Math.pow(10, 4 * random.nextDouble()));
      if (random.nextInt(3) == 0) {
        TaskName other = tasks.get(random.nextInt(tasks.size()));
        String one = SimulatedCluster.place(task);
        String two = SimulatedCluster.place(other);
        scheduler.after(when, one + " X " + two, () -> network.cut(one, two, time));
      } else {
        String place = SimulatedCluster.place(task);
        boolean warned = random.nextInt(3) == 0;
        scheduler.after(
            when,
            place + (warned ? " stops" : " crashes"),
            () -> end(cluster, task, warned, time, ledger));
      }
    }
  }

  private static void end(
      SimulatedCluster cluster, TaskName task, boolean warned, Duration time, Ledger ledger) {
    if (task.job().equals("ps")) {
      ledger.crash(task.index());
    }
    if (warned) {
      ledger.stop();
      cluster.restart(task, time);
    } else {
      cluster.crash(task, time);
    }
  }

  private static Duration millis(double millis) {
    return Duration.ofNanos((long) (millis * 1e6));
  }
}
