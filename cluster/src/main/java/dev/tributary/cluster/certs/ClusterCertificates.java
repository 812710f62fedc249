package dev.tributary.cluster.certs;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.file.FileFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x509.GeneralName;

/**
 * Fills a {@link CertificateFolder}: an authority, and certificates that it signs for each task of
 * a cluster and for its clients. An authority that is there already is kept, so that the same call
 * renews certificates or adds those of new tasks.
 */
public final class ClusterCertificates {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

  private ClusterCertificates() {}

  /** Makes certificates that are good from now on for as long as {@code validity} says. */
  public static CertificateFolder make(
      Path folder, ClusterSpec cluster, Clock clock, Duration validity) {
    CertificateFolder files = new CertificateFolder(folder);
    try {
      Files.createDirectories(folder);
      CertificateAuthority authority = authority(files, clock, validity);
      for (TaskName task : cluster.tasks()) {
        SignedIdentity signed =
            authority.signTask(task.toString(), hosts(cluster.hostAndPort(task)));
        PemFiles.write(signed, files.certificate(task), files.privateKey(task));
      }
      PemFiles.write(authority.signClient("client"), files.clientCertificate(), files.clientKey());
      return files;
    } catch (IOException e) {
      throw FileFailure.of("write certificates to", folder, e);
    }
  }

  private static CertificateAuthority authority(
      CertificateFolder files, Clock clock, Duration validity) throws IOException {
    if (Files.exists(files.authority())) {
      return new CertificateAuthority(
          PemFiles.read(files.authority(), files.authorityKey()), clock, validity);
    }
    CertificateAuthority authority = CertificateAuthority.create(clock, validity);
    PemFiles.write(authority.own(), files.authority(), files.authorityKey());
    return authority;
  }

  /** The host names of the task. All names of this machine count for a local one. */
  private static List<GeneralName> hosts(HostAndPort address) {
    Set<String> hosts = new LinkedHashSet<>(Set.of(address.host()));
    if (address.isLoopback()) {
      hosts.addAll(LOOPBACK);
    }
    return hosts.stream().map(ClusterCertificates::generalName).toList();
  }

  private static GeneralName generalName(String host) {
    boolean numbers = host.indexOf(':') >= 0 || host.matches("[0-9]+(\\.[0-9]+){3}");
    return new GeneralName(numbers ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }
}
