package dev.tributary.bench;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.session.SessionOptions;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/**
 * Runs one workload in this process and reports its figures to the driver. On a cluster the process
 * is also one of the workers, and the client's session is at it.
 */
@Command(name = "bench", description = "Runs a workload: " + BenchCommand.WORKLOADS + ".")
final class BenchCommand implements Runnable {
  static final String WORKLOADS =
      "null-step, dense-step, sparse-step, mlp, cnn, op-overhead, start-up, fan-out, large-graph,"
          + " lstm, mobilenet, transformer, function-call, function-loop, data-map, data-records,"
          + " data-png, data-mnist, data-memory, model-load or all-reduce";

  @Parameters(paramLabel = "WORKLOAD")
  private String workload;

  @ParentCommand private Course course;

  @Option(names = "--task", description = "This worker's number.")
  private int task;

  @Option(names = "--ps", split = ",", description = "Addresses of the parameter servers.")
  private List<String> ps = List.of();

  @Option(names = "--worker", split = ",", description = "Addresses of the workers.")
  private List<String> workers = List.of();

  @Option(names = "--mib", defaultValue = "1", description = "The variable's size in dense-step.")
  private int mib;

  @Option(names = "--workers", defaultValue = "1", description = "Workers in fan-out.")
  private int workerCount;

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Driver driver = new Driver(System.in, System.out);
    if (ps.isEmpty()) {
      workload(Replica.local()).run(driver, Timing.COURSE);
      return;
    }
    ClusterSpec cluster = LoopbackCluster.spec(ps, workers);
    Workload wanted = workload(Replica.of(cluster, task));
    try (Server server = Server.start(course.serverOptions(cluster, Replica.WORKER, task))) {
      driver.ready();
      driver.sync(); // Until the other workers are up.
      wanted.run(driver, Timing.COURSE);
    }
  }

  private Workload workload(Replica replica) {
    VariableKind variables = course.variables();
    return switch (workload) {
      case "mlp" -> new Training(Model.MLP, variables, replica);
      case "cnn" -> new Training(Model.CNN, variables, replica);
      case "op-overhead" -> new OpOverhead(SessionOptions.defaults());
      case "fan-out" -> new FanOut(workerCount, variables);
      case "null-step" -> new NullStep(onCluster(replica), variables);
      case "dense-step" ->
          new DenseStep(onCluster(replica), variables, mib, DenseStep.COURSE_FACTOR);
      case "sparse-step" -> SparseStep.course(onCluster(replica), variables);
      case "start-up" -> new StartUp(onCluster(replica), variables);
      case AllReduce.NAME -> new AllReduce(onCluster(replica), workers.size());
      case "large-graph" -> LargeGraph.course(onCluster(replica));
      case "lstm",
          "mobilenet",
          "transformer",
          "function-call",
          "function-loop",
          "data-map",
          "data-records",
          "data-png" ->
          NetworkLine.workload(workload, NetworkStep::tributary);
      case DatasetTraining.NAME -> DatasetTraining.course();
      case DatasetMemory.NAME -> DatasetMemory.course();
      case ModelLoad.NAME -> ModelLoad.course(ModelLoad::tributary);
      default -> throw wrong("unknown workload '%s', wanted %s".formatted(workload, WORKLOADS));
    };
  }

  private Replica onCluster(Replica replica) {
    if (replica.cluster().isEmpty()) {
      throw wrong(workload + " runs on a cluster: it needs --ps and --worker");
    }
    return replica;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
