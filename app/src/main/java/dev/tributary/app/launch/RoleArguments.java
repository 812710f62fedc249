package dev.tributary.app.launch;

import dev.tributary.cluster.spec.TaskName;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Options that say which tasks a program is started as. */
@Command(optionListHeading = "Tasks:")
public final class RoleArguments {
  private static final int MOST_TASKS = 1_000;

  @Option(names = "--ps", paramLabel = "N", defaultValue = "0", description = "Parameter servers.")
  private int parameterServers;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "1",
      description = "Workers. The first one is task 0 of job chief.")
  private int workers;

  @Option(
      names = "--no-chief",
      description = "Make all workers tasks of job worker, as strategies without a chief expect.")
  private boolean noChief;

  @Option(names = "--evaluator", description = "Start an evaluator, too.")
  private boolean evaluator;

  /** Returns the tasks of the cluster, parameter servers first. */
  public List<TaskName> cluster() {
    OptionRange.require("--ps", parameterServers, 0, MOST_TASKS);
    OptionRange.require("--workers", workers, 0, MOST_TASKS);
    return Roles.ofCluster(parameterServers, workers, !noChief);
  }

  public boolean hasEvaluator() {
    return evaluator;
  }

  public boolean hasParameterServers() {
    return parameterServers > 0;
  }
}
