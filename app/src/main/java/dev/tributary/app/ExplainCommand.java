package dev.tributary.app;

import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.explain.PlacementReport;
import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.ops.Ops;
import dev.tributary.placement.Placer;
import dev.tributary.placement.StatePlacement;
import dev.tributary.plan.StepSignature;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells what would become of a graph on a cluster, without a cluster. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Tells where a graph would run on a cluster: which task would hold which nodes and"
          + " variables, and which tensors would go between tasks.",
      "Nothing is started or asked."
    })
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private ClusterArguments cluster;

  @Option(
      names = "--graph",
      required = true,
      paramLabel = "FILE",
      description = "A GraphDef: text if its name ends in .pbtxt, else binary.")
  private Path graphFile;

  @Option(
      names = "--master",
      paramLabel = "TASK",
      description = {
        "The task that the session is opened at, such as /job:worker/task:0, which gets",
        "the nodes that ask for nothing. By default the first task of job worker, or the first of"
            + " all."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<String> master = Optional.empty();

  @Option(
      names = "--feed",
      paramLabel = "TENSOR",
      description = "With --fetch or --target: what a step is given. May be repeated.",
      showDefaultValue = Visibility.NEVER)
  private List<String> feeds = List.of();

  @Option(
      names = "--fetch",
      paramLabel = "TENSOR",
      description = "Explains a step that fetches this, not the whole graph. May be repeated.",
      showDefaultValue = Visibility.NEVER)
  private List<String> fetches = List.of();

  @Option(
      names = "--target",
      paramLabel = "NODE",
      description = "Explains a step that runs this, not the whole graph. May be repeated.",
      showDefaultValue = Visibility.NEVER)
  private List<String> targets = List.of();

  @Option(
      names = "--soft-placement",
      description = "Lets a device that does not exist give way to a CPU of its task.")
  private boolean softPlacement;

  @Option(
      names = "--state-placement",
      paramLabel = "NAME",
      defaultValue = "first_task",
      description =
          "Where variables go that ask for no task, as the servers are told: first_task or"
              + " master_task.")
  private StatePlacement statePlacement;

  @Override
  public Integer call() {
    ClusterSpec tasks = cluster.require();
    String client = master.map(TaskName::ofDevice).orElseGet(() -> usual(tasks)).device("CPU", 0);
    List<String> devices = tasks.tasks().stream().map(task -> task.device("CPU", 0)).toList();
    Placer placer =
        new Placer(
            devices, client, softPlacement, (op, type) -> type.equals("CPU"), statePlacement);
    try (Graph graph = Ops.create().graph()) {
      GraphDefs.importInto(graph, GraphFiles.read(graphFile));
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

  private StepSignature signature(Graph graph) {
    return new StepSignature(
        feeds.stream().map(graph::output).toList(),
        fetches.stream().map(graph::output).toList(),
        targets.stream().map(graph::operation).toList());
  }

  private static TaskName usual(ClusterSpec cluster) {
    List<TaskName> tasks = cluster.tasks();
    return tasks.stream()
        .filter(task -> task.job().equals("worker"))
        .findFirst()
        .orElse(tasks.get(0));
  }
}
