package dev.tributary.cluster.certs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.certs.ClusterCertificates.Existing;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class ClusterCertificatesTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  private static final Duration YEAR = Duration.ofDays(365);
  private static final TaskName PS = new TaskName("ps", 0);
  private static final ClusterSpec CLUSTER =
      ClusterSpec.of(
          Map.of(
              "ps", List.of("ps0.example.com:2222"),
              "worker", List.of("localhost:2222", "10.0.0.7:2222")));

  @TempDir private Path folder;

  @Test
  void make_emptyFolder_signsForTasksAndClients() throws Exception {
    CertificateFolder made = make(CLUSTER);

    X509Certificate authority = read(made.authority());
    for (TaskName task : CLUSTER.tasks()) {
      X509Certificate certificate = read(made.certificate(task));
      certificate.verify(authority.getPublicKey());
      assertThat(certificate.getSubjectX500Principal().getName()).contains(task.toString());
      assertThat(certificate.getBasicConstraints()).as("signs for nobody").isEqualTo(-1);
    }
    read(made.clientCertificate()).verify(authority.getPublicKey());
  }

  @Test
  void make_anyHost_isNamedByItsKind() throws Exception {
    CertificateFolder made = make(CLUSTER);

    assertThat(hosts(made.certificate(PS))).containsExactly("ps0.example.com");
    assertThat(hosts(made.certificate(new TaskName("worker", 1)))).containsExactly("10.0.0.7");
    assertThat(hosts(made.certificate(new TaskName("worker", 0))))
        .containsExactlyInAnyOrder("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
  }

  @Test
  void make_validity_startsNow() throws Exception {
    X509Certificate certificate = read(make(CLUSTER).certificate(PS));

    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(YEAR));
    assertThat(certificate.getNotBefore().toInstant()).isBefore(NOW);
  }

  @Test
  void make_authorityThere_isRefusedAndLeftAsItIs() throws Exception {
    CertificateFolder made = make(CLUSTER);
    byte[] authority = Files.readAllBytes(made.authority());
    byte[] task = Files.readAllBytes(made.certificate(PS));

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> make(CLUSTER))
        .matches(e -> e.code() == ErrorCode.ALREADY_EXISTS)
        .withMessageContaining(folder.toString())
        .withMessageContaining("--renew")
        .withMessageContaining("--force");

    assertThat(made.authority()).hasBinaryContent(authority);
    assertThat(made.certificate(PS)).hasBinaryContent(task);
  }

  @Test
  void make_keyOfAnAuthorityThere_isRefused() throws Exception {
    Files.delete(make(CLUSTER).authority());

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> make(CLUSTER))
        .matches(e -> e.code() == ErrorCode.ALREADY_EXISTS);
  }

  @Test
  void renew_authorityThere_isKeptAndSignsNewCertificates() throws Exception {
    byte[] authority = Files.readAllBytes(make(CLUSTER).authority());
    byte[] task = Files.readAllBytes(new CertificateFolder(folder).certificate(PS));

    CertificateFolder again = make(CLUSTER, Existing.RENEW);

    assertThat(again.authority()).hasBinaryContent(authority);
    assertThat(Files.readAllBytes(again.certificate(PS))).isNotEqualTo(task);
    read(again.certificate(PS)).verify(read(again.authority()).getPublicKey());
  }

  @Test
  void replace_authorityThere_isAnotherOne() throws Exception {
    byte[] authority = Files.readAllBytes(make(CLUSTER).authority());

    CertificateFolder again = make(CLUSTER, Existing.REPLACE);

    assertThat(Files.readAllBytes(again.authority())).isNotEqualTo(authority);
    read(again.certificate(PS)).verify(read(again.authority()).getPublicKey());
  }

  @Test
  void make_roles_areInTheSubjects() throws Exception {
    CertificateFolder made = make(CLUSTER);

    assertThat(subject(made.certificate(PS))).contains("OU=task");
    assertThat(subject(made.clientCertificate())).contains("OU=client");
    assertThat(subject(made.adminCertificate())).contains("OU=admin");
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void make_privateKeys_areTheirOwnersAlone() throws Exception {
    CertificateFolder made = make(CLUSTER);

    for (Path key : List.of(made.authorityKey(), made.privateKey(PS), made.clientKey())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void make_authorityIsNoCertificate_isRefused() throws Exception {
    CertificateFolder made = make(CLUSTER);
    Files.copy(made.privateKey(PS), made.authority(), StandardCopyOption.REPLACE_EXISTING);

    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> make(CLUSTER, Existing.RENEW))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT)
        .withMessageContaining("ca.pem");
  }

  private CertificateFolder make(ClusterSpec cluster) {
    return ClusterCertificates.make(folder, cluster, Clock.fixed(NOW, ZoneOffset.UTC), YEAR);
  }

  private CertificateFolder make(ClusterSpec cluster, Existing existing) {
    return ClusterCertificates.make(
        folder, cluster, Clock.fixed(NOW, ZoneOffset.UTC), YEAR, existing);
  }

  private static String subject(Path certificate) throws Exception {
    return read(certificate).getSubjectX500Principal().getName();
  }

  private static List<String> hosts(Path certificate) throws Exception {
    return read(certificate).getSubjectAlternativeNames().stream()
        .map(name -> name.get(1).toString())
        .toList();
  }

  private static X509Certificate read(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }
}
