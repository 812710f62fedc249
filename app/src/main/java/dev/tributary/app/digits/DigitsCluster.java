package dev.tributary.app.digits;

import dev.tributary.app.launch.TaskProcess;
import dev.tributary.app.launch.TaskProcesses;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.FreePorts;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * Trains on a cluster of separate processes on this machine, which runs as long as the training.
 *
 * @param main the class that the processes run
 * @param shared options that they all get
 */
record DigitsCluster(
    Class<?> main,
    DigitsSettings settings,
    int parameterServers,
    int workers,
    List<String> shared) {
  private static final Duration LIMIT = Duration.ofHours(2);

  void run(PrintWriter out) throws InterruptedException {
    ClusterSpec cluster = cluster();
    List<Progress> bars = new ArrayList<>();
    Queue<String> said = new ConcurrentLinkedQueue<>();
    try (TaskProcesses processes = new TaskProcesses(main)) {
      // Parameter servers end by themselves, with the last worker.
      List<TaskProcess> tasks = new ArrayList<>();
      for (int i = 0; i < parameterServers; i++) {
        tasks.add(processes.start("ps " + i, arguments(cluster, "ps", i), said::add));
      }
      for (int i = 0; i < workers; i++) {
        Progress bar = new ProgressOnTerminal("worker " + i, settings.stepsOfWorker(workers));
        bars.add(bar);
        tasks.add(
            processes.start("worker " + i, arguments(cluster, "worker", i), relay(bar, said)));
      }
      processes.awaitSuccess(tasks, LIMIT);
    } finally {
      bars.forEach(Progress::close);
    }
    // Not before the bars are complete, which rewrite their lines until then.
    said.forEach(out::println);
    out.flush();
  }

  private static Consumer<String> relay(Progress progress, Queue<String> said) {
    return line ->
        ProgressLines.parse(line)
            .ifPresentOrElse(
                position -> progress.step(position.step(), position.loss()), () -> said.add(line));
  }

  private ClusterSpec cluster() {
    List<String> addresses = FreePorts.addresses(parameterServers + workers);
    return ClusterSpec.of(
        Map.of(
            "ps", addresses.subList(0, parameterServers),
            "worker", addresses.subList(parameterServers, addresses.size())));
  }

  private List<String> arguments(ClusterSpec cluster, String job, int task) {
    List<String> arguments = new ArrayList<>(List.of("digits", "--cluster", cluster.toJson()));
    arguments.addAll(List.of("--job", job, "--task", Integer.toString(task)));
    // All processes share the cores of this machine.
    int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / workers);
    arguments.addAll(List.of("--threads", Integer.toString(threads)));
    arguments.addAll(shared);
    return arguments;
  }
}
