package dev.tributary.app;

import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.TributaryException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes the certificates of a cluster. */
@Command(
    name = "certs",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Makes an authority, and certificates that it signs for each task of a cluster and for its"
          + " clients.",
      "An authority that is in DIR already is kept: run it again to renew certificates or for new"
          + " tasks.",
      "Give each machine ca.pem and the two files of its own task; keep ca-key.pem to yourself."
    })
final class CertsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClusterArguments cluster;

  @Parameters(paramLabel = "DIR", description = "Where to put the PEM files.")
  private Path folder;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "365",
      description = "How long the certificates are good.")
  private int days;

  @Override
  public Integer call() {
    if (days < 1) {
      throw TributaryException.invalidArgument("--days must be 1 or more, got %d", days);
    }
    ClusterSpec tasks = cluster.require();
    ClusterCertificates.make(folder, tasks, Clock.systemUTC(), Duration.ofDays(days));
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s: an authority, %d tasks and clients, good for %d days%n",
        folder, tasks.tasks().size(), days);
    out.flush();
    return 0;
  }
}
