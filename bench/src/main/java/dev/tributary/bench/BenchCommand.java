package dev.tributary.bench;

import dev.tributary.error.TributaryException;
import dev.tributary.session.SessionOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs one workload in this process and reports its figures to the driver. */
@Command(name = "bench", description = "Runs a workload: mlp, cnn or op-overhead, all local.")
final class BenchCommand implements Runnable {
  @Parameters(paramLabel = "WORKLOAD")
  private String workload;

  @ParentCommand private Course course;

  @Option(names = "--task", description = "This worker's number.")
  private int task;

  @Option(names = "--ps", split = ",", description = "Parameter servers: not supported yet.")
  private List<String> ps = List.of();

  @Option(names = "--worker", split = ",", description = "Workers: not supported yet.")
  private List<String> workers = List.of();

  @Option(names = "--mib", description = "Of workloads that are not supported yet.")
  private int mib;

  @Option(names = "--workers", description = "Of workloads that are not supported yet.")
  private int workerCount;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    if (!ps.isEmpty() || !workers.isEmpty()) {
      throw notSupported(workload + " on a cluster");
    }
    workload().run(new Driver(System.in, System.out), Timing.COURSE);
  }

  private Workload workload() {
    SessionOptions options = SessionOptions.defaults();
    return switch (workload) {
      case "mlp" -> new Training(Model.MLP, course.variables(), options);
      case "cnn" -> new Training(Model.CNN, course.variables(), options);
      case "op-overhead" -> new OpOverhead(options);
      case "null-step", "dense-step", "sparse-step", "start-up", "fan-out", "large-graph" ->
          throw notSupported(workload);
      default ->
          throw new ParameterException(
              spec.commandLine(),
              "unknown workload '%s', wanted mlp, cnn or op-overhead".formatted(workload));
    };
  }

  private static TributaryException notSupported(String what) {
    return TributaryException.unimplemented("%s is not supported yet", what);
  }
}
