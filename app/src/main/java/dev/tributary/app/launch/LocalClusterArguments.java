package dev.tributary.app.launch;

import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Options of a command that starts itself as the tasks of a cluster on this machine. */
@Command(optionListHeading = "Cluster on this machine:")
public final class LocalClusterArguments {
  private static final String PS = "--ps";
  private static final String WORKERS = "--workers";
  private static final String RESTART = "--restart";

  @Option(
      names = PS,
      paramLabel = "N",
      description =
          "Train on a cluster of processes on this machine, with N parameter servers. 1 by default"
              + " with --workers.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> parameterServers = Optional.empty();

  @Option(
      names = WORKERS,
      paramLabel = "N",
      description =
          "Train on a cluster of processes on this machine, with N workers. 1 by default with"
              + " --ps.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> workers = Optional.empty();

  @Option(
      names = RESTART,
      paramLabel = "N",
      defaultValue = "3",
      description = "How often each task of a cluster on this machine is restarted if it dies.")
  private int restarts;

  /** Refuses numbers that cannot be. */
  public void check() {
    parameterServers.ifPresent(n -> OptionRange.require(PS, n, 1, Integer.MAX_VALUE));
    workers.ifPresent(n -> OptionRange.require(WORKERS, n, 1, Integer.MAX_VALUE));
    OptionRange.require(RESTART, restarts, 0, Integer.MAX_VALUE);
  }

  /** Returns whether there is to be a cluster. */
  public boolean isWanted() {
    return parameterServers.isPresent() || workers.isPresent();
  }

  public int parameterServers() {
    return parameterServers.orElse(1);
  }

  public int workers() {
    return workers.orElse(1);
  }

  public int restarts() {
    return restarts;
  }
}
