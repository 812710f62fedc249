package dev.tributary.app.digits;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.app.launch.Program;
import dev.tributary.app.launch.TaskProcess;
import dev.tributary.app.launch.TaskProcesses;
import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.spec.ClusterSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Trains on a cluster of separate processes on this machine, which runs as long as the training. A
 * task that dies is started again.
 *
 * @param main the class that the processes run
 * @param logs where each task's log goes
 * @param restarts how often each task is started again
 * @param shared options that they all get
 */
record DigitsCluster(
    Class<?> main,
    int parameterServers,
    int workers,
    Path logs,
    int restarts,
    List<String> shared) {
  private static final Duration END_LIMIT = Duration.ofSeconds(5);

  void run(Progress progress) throws InterruptedException {
    ClusterSpec cluster = cluster();
    Starting starting = new Starting(progress, taskNames());
    try (TaskProcesses processes =
        new TaskProcesses(new TaskProcesses.Restarts(logs, restarts, progress::line))) {
      List<TaskProcess> tasks = new ArrayList<>();
      for (String name : taskNames()) {
        tasks.add(
            processes.start(
                name, Program.ofThis(main, arguments(cluster, name)), starting.relay(name)));
      }
      processes.awaitSuccess(tasks.subList(parameterServers, tasks.size()));
      // Parameter servers end by themselves with the last worker, unless they were restarted after
      // a worker had ended, which they then do not know.
      processes.awaitRest(END_LIMIT);
    }
  }

  /** Shows which tasks have not said anything yet. Guarded by its own monitor. */
  private static final class Starting implements Progress {
    private final Progress target;

    @GuardedBy("this")
    private final Set<String> silent;

    @GuardedBy("this")
    private String status = "preparing the model";

    Starting(Progress target, List<String> names) {
      this.target = target;
      this.silent = new LinkedHashSet<>(names);
      show();
    }

    /** Passes on what a task says; its first line means that it is up. */
    Consumer<String> relay(String name) {
      return line -> {
        heard(name);
        ProgressLines.relay(line, this);
      };
    }

    private synchronized void heard(String name) {
      if (silent.remove(name)) {
        show();
      }
    }

    @Override
    public synchronized void status(String text) {
      if (!text.isEmpty()) {
        status = text;
        show();
      }
    }

    @GuardedBy("this")
    private void show() {
      target.status(silent.isEmpty() ? status : "starting " + String.join(", ", silent));
    }

    @Override
    public void step(long globalStep, float loss) {
      target.step(globalStep, loss);
    }

    @Override
    public void line(String text) {
      target.line(text);
    }

    @Override
    public void close() {
      target.close();
    }
  }

  private ClusterSpec cluster() {
    List<String> addresses = FreePorts.addresses(parameterServers + workers);
    return ClusterSpec.of(
        Map.of(
            "ps", addresses.subList(0, parameterServers),
            "worker", addresses.subList(parameterServers, addresses.size())));
  }

  /** Each is a job and a number; parameter servers come first. */
  private List<String> taskNames() {
    return Stream.concat(
            IntStream.range(0, parameterServers).mapToObj(i -> "ps " + i),
            IntStream.range(0, workers).mapToObj(i -> "worker " + i))
        .toList();
  }

  private List<String> arguments(ClusterSpec cluster, String name) {
    String[] jobAndNumber = name.split(" ");
    List<String> arguments = new ArrayList<>(List.of("digits", "--cluster", cluster.toJson()));
    arguments.addAll(List.of("--job", jobAndNumber[0], "--task", jobAndNumber[1]));
    arguments.addAll(shared);
    return arguments;
  }
}
