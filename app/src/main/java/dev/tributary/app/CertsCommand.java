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
import picocli.CommandLine.ParameterException;
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
      "All are signed by an authority, which is created in DIR. A DIR that has one already is left"
          + " as it is, unless --renew or --force is given.",
      "Keep ca-key.pem private; copy ca.pem and the two files of its own task to each machine."
          + " admin.pem is for those who may reset servers that are started with"
          + " --admin-certificate."
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

  @Option(
      names = "--renew",
      description =
          "Keep the authority that DIR has, and sign new certificates with it: before the old ones"
              + " expire, or for new tasks.")
  private boolean renew;

  @Option(
      names = "--force",
      description =
          "Replace the authority that DIR has. Every certificate that it has signed is refused"
              + " then: copy the new files to all machines and restart all tasks.")
  private boolean force;

  @Override
  public Integer call() {
    OptionRange.require("--days", days, 1, MOST_DAYS);
    ClusterSpec tasks = cluster.require();
    ClusterCertificates.make(folder, tasks, Clock.systemUTC(), Duration.ofDays(days), existing());
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%s: certificates for an authority, %d tasks, clients and admins, valid for %d days%n",
        folder, tasks.tasks().size(), days);
    out.flush();
    return 0;
  }

  private ClusterCertificates.Existing existing() {
    if (renew && force) {
      throw new ParameterException(
          spec.commandLine(), "--renew keeps the authority, --force replaces it: use one of them");
    }
    if (force) {
      return ClusterCertificates.Existing.REPLACE;
    }
    return renew ? ClusterCertificates.Existing.RENEW : ClusterCertificates.Existing.REFUSE;
  }
}
