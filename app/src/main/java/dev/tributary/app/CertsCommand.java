package dev.tributary.app;

import dev.tributary.app.launch.ClusterArguments;
import dev.tributary.app.launch.OptionRange;
import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.spec.ClusterSpec;
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
    customSynopsis = "tributary certs --cluster=JSON|@FILE [OPTIONS] DIR",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Writes TLS certificates for the tasks and clients of a cluster.",
      "All are signed by an authority that is created in DIR if there is none. Run the command"
          + " again to renew certificates or to add tasks.",
      "Keep ca-key.pem private; copy ca.pem and the two files of its own task to each machine."
    })
final class CertsCommand implements Callable<Integer> {
  /** A century. */
  private static final int MOST_DAYS = 36_500;

  @Spec private CommandSpec spec;
  @Mixin private ClusterArguments cluster;

  @Parameters(
      paramLabel = "DIR",
      description = "Folder for the PEM files; it is created if needed.")
  private Path folder;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "365",
      description = "How many days the certificates are valid.")
  private int days;

  @Override
  public Integer call() {
    OptionRange.require("--days", days, 1, MOST_DAYS);
    ClusterSpec tasks = cluster.require();
    ClusterCertificates.make(folder, tasks, Clock.systemUTC(), Duration.ofDays(days));
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s: certificates for an authority, %d tasks and clients, valid for %d days%n",
        folder, tasks.tasks().size(), days);
    out.flush();
    return 0;
  }
}
