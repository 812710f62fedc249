package dev.tributary.app.records;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/**
 * Options by which the tasks of a cluster share the making of one set of files. Each runs the same
 * command with its own number and makes its share in a folder that they all see; they need not run
 * at the same time, and no server is asked.
 */
@Command(optionListHeading = "Share of this machine, with a folder that all see:")
final class SharedMaking {
  private static final String JOB = "--job";
  private static final String TASK = "--task";

  @Option(
      names = JOB,
      paramLabel = "NAME",
      defaultValue = "worker",
      description = "Job of the cluster whose tasks make the files, each its share.")
  private String job;

  @Option(
      names = TASK,
      paramLabel = "N",
      description = "Number of this machine's task in the job.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> task = Optional.empty();

  /**
   * The part of the files that this process makes.
   *
   * @param task the place of this process among them
   * @param tasks how many processes make files
   */
  record Share(int task, int tasks) {}

  /** The share of this process; all if there is no cluster. */
  Share of(Optional<ClusterSpec> cluster) {
    if (cluster.isEmpty()) {
      if (task.isPresent()) {
        throw TributaryException.invalidArgument(
            "%s %d of which cluster? Give --cluster, too", TASK, task.get());
      }
      return new Share(0, 1);
    }
    if (!cluster.get().jobs().containsKey(job)) {
      throw TributaryException.invalidArgument(
          "%s %s is no job of the cluster, which has %s", JOB, job, cluster.get().jobs().keySet());
    }
    List<Integer> numbers = List.copyOf(cluster.get().jobs().get(job).keySet());
    if (task.isEmpty()) {
      throw TributaryException.invalidArgument(
          "which task of the cluster is this? Give %s, one of %s", TASK, numbers);
    }
    if (!numbers.contains(task.get())) {
      throw TributaryException.invalidArgument(
          "%s %d is not in job %s, which has %s", TASK, task.get(), job, numbers);
    }
    return new Share(numbers.indexOf(task.get()), numbers.size());
  }
}
