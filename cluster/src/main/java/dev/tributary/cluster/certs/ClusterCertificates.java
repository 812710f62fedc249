package dev.tributary.cluster.certs;

import dev.tributary.cluster.certs.CertificateAuthority.Role;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
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
 * a cluster, for its clients and for its admins.
 */
public final class ClusterCertificates {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

  private ClusterCertificates() {}

  /** The use of an authority that a folder has already. */
  public enum Existing {
    /** Nothing is written. */
    REFUSE,
    /** It signs the new certificates: for new tasks, or before the old ones expire. */
    RENEW,
    /** A new one takes its place. What the old one has signed opens nothing any more. */
    REPLACE
  }

  /**
   * Makes certificates that are good from now on for as long as {@code validity} says. A folder
   * that has an authority already is ALREADY_EXISTS.
   */
  public static CertificateFolder make(
      Path folder, ClusterSpec cluster, Clock clock, Duration validity) {
    return make(folder, cluster, clock, validity, Existing.REFUSE);
  }

  /** Makes certificates in a folder that may have some already. */
  public static CertificateFolder make(
      Path folder, ClusterSpec cluster, Clock clock, Duration validity, Existing existing) {
    CertificateFolder files = new CertificateFolder(folder);
    try {
      Files.createDirectories(folder);
      CertificateAuthority authority = authority(files, clock, validity, existing);
      for (TaskName task : cluster.tasks()) {
        SignedIdentity signed =
            authority.signTask(task.toString(), hosts(cluster.hostAndPort(task)));
        PemFiles.write(signed, files.certificate(task), files.privateKey(task));
      }
      PemFiles.write(
          authority.signClient("client", Role.CLIENT),
          files.clientCertificate(),
          files.clientKey());
      PemFiles.write(
          authority.signClient("admin", Role.ADMIN), files.adminCertificate(), files.adminKey());
      return files;
    } catch (IOException e) {
      throw FileFailure.of("write certificates to", folder, e);
    }
  }

  private static CertificateAuthority authority(
      CertificateFolder files, Clock clock, Duration validity, Existing existing)
      throws IOException {
    boolean isThere = Files.exists(files.authority()) || Files.exists(files.authorityKey());
    if (isThere && existing == Existing.REFUSE) {
      throw new TributaryException(
          ErrorCode.ALREADY_EXISTS,
          String.format(
              "%s has an authority already. Keep it and sign new certificates (Existing.RENEW,"
                  + " --renew), or replace it, after which every certificate that it has signed is"
                  + " refused (Existing.REPLACE, --force)",
              files.folder()));
    }
    if (isThere && existing == Existing.RENEW) {
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
