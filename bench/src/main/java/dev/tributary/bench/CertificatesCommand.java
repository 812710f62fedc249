package dev.tributary.bench;

import dev.tributary.cluster.certs.ClusterCertificates;
import dev.tributary.cluster.certs.ClusterCertificates.Existing;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes the certificates that {@code --mutual-tls} wants. Those of an earlier run are replaced. */
@Command(name = "certificates", description = "Makes certificates of tasks for --mutual-tls.")
final class CertificatesCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "The folder for them.")
  private Path folder;

  @Option(names = "--ps", split = ",", required = true)
  private List<String> ps;

  @Option(names = "--worker", split = ",", required = true)
  private List<String> workers;

  @Override
  public Integer call() {
    ClusterCertificates.make(
        folder,
        LoopbackCluster.spec(ps, workers),
        Clock.systemUTC(),
        Duration.ofDays(1),
        Existing.REPLACE);
    return 0;
  }
}
