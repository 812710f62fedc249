package dev.tributary.app;

import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.StatePlacement;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.internal.explain.PlacementReport;
import dev.tributary.internal.placement.Placer;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.ops.Ops;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows where the nodes of a graph would run on a cluster, without a cluster. */
@Command(
    name = "explain",
    customSynopsis = "tributary explain --graph=FILE --cluster=JSON|@FILE [OPTIONS]",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Shows where a graph would run on a cluster: the nodes and variables of each task, and the"
          + " tensors that are sent between tasks.",
      "No server is started or called."
    })
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--graph",
      required = true,
      paramLabel = "FILE",
      description = "File with a GraphDef: text (*.pbtxt) or binary.")
  private Path graphFile;

  @Option(
      names = "--master",
      paramLabel = "TASK",
      description =
          "Task of the session's master, such as /job:worker/task:0. It gets the nodes that ask for"
              + " no device. By default the first task of job worker, or else the first task of the"
              + " cluster.",
      showDefaultValue = Visibility.NEVER)
  private Optional<String> master = Optional.empty();

  @Option(
      names = "--feed",
      paramLabel = "TENSOR",
      description =
          "Tensor that is fed to the step of --fetch or --target, such as x:0. May be repeated.",
      showDefaultValue = Visibility.NEVER)
  private List<String> feeds = List.of();

  @Option(
      names = "--fetch",
      paramLabel = "TENSOR",
      description = "Explain only a step that fetches this tensor, such as y:0. May be repeated.",
      showDefaultValue = Visibility.NEVER)
  private List<String> fetches = List.of();

  @Option(
      names = "--target",
      paramLabel = "NODE",
      description = "Explain only a step that runs this node, such as train. May be repeated.",
      showDefaultValue = Visibility.NEVER)
  private List<String> targets = List.of();

  @Option(
      names = "--soft-placement",
      description = "Use a CPU where a node asks for a device that does not exist.")
  private boolean softPlacement;

  @Option(
      names = "--state-placement",
      paramLabel = "NAME",
      defaultValue = "first_task",
      description =
          "Where variables go that ask for no task, as the servers are told: first_task or"
              + " master_task.")
  private StatePlacement statePlacement;

  @Mixin private ClusterArguments cluster;

  @Override
  public Integer call() {
    ClusterSpec tasks = cluster.require();
    TaskName chosen = master.map(name -> master(tasks, name)).orElseGet(() -> usual(tasks));
    String client = chosen.device("CPU", 0);
    List<String> devices = tasks.tasks().stream().map(task -> task.device("CPU", 0)).toList();
    Placer placer =
        new Placer(
            devices, client, softPlacement, (op, type) -> type.equals("CPU"), statePlacement);
    try (Graph graph = Ops.create().graph()) {
      read(graph);
      PlacementReport report =
          feeds.isEmpty() && fetches.isEmpty() && targets.isEmpty()
              ? PlacementReport.of(graph, placer)
              : PlacementReport.of(graph, signature(graph), placer, client);
      PrintWriter out = spec.commandLine().getOut();
      out.print(report.text());
      out.flush();
    }
    return 0;
  }

  private void read(Graph graph) {
    try {
      GraphDefs.importInto(graph, GraphFiles.read(graphFile));
    } catch (TributaryException e) {
      throw e.at("--graph");
    }
  }

  private StepSignature signature(Graph graph) {
    return new StepSignature(
        named("--feed", feeds, graph::output),
        named("--fetch", fetches, graph::output),
        named("--target", targets, graph::operation));
  }

  private static <T> List<T> named(String option, List<String> names, Function<String, T> find) {
    try {
      return names.stream().map(find).toList();
    } catch (TributaryException e) {
      throw e.at(option);
    }
  }

  private static TaskName master(ClusterSpec cluster, String name) {
    try {
      TaskName task = TaskName.ofDevice(name);
      cluster.address(task);
      return task;
    } catch (TributaryException e) {
      throw e.at("--master");
    }
  }

  private static TaskName usual(ClusterSpec cluster) {
    List<TaskName> tasks = cluster.tasks();
    return tasks.stream()
        .filter(task -> task.job().equals("worker"))
        .findFirst()
        .orElse(tasks.get(0));
  }
}
