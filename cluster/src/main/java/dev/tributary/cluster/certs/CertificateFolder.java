package dev.tributary.cluster.certs;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.security.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A folder with PEM files: {@code ca.pem} is the authority's certificate, {@code worker-0.pem} that
 * of task 0 of job worker, {@code client.pem} that of clients, {@code admin.pem} that of those who
 * may end the work of others; {@code ca-key.pem} and so on are their keys. A task needs {@code
 * ca.pem} and its own two files and nothing else, above all not the authority's key.
 */
public record CertificateFolder(Path folder) {
  private static final String CLIENT = "client";
  private static final String ADMIN = "admin";

  /** Returns the files that a task needs to serve and to call others. */
  public TlsFiles ofTask(TaskName task) {
    String name = name(task);
    return TlsFiles.trusting(authority()).withIdentity(certificate(name), privateKey(name));
  }

  /**
   * Returns the files that a client needs; without a certificate of its own if there is none here.
   */
  public TlsFiles ofClient() {
    TlsFiles files = TlsFiles.trusting(authority());
    return Files.exists(clientCertificate())
        ? files.withIdentity(clientCertificate(), clientKey())
        : files;
  }

  /** Returns the files of a client that may end the work of others, as by a reset. */
  public TlsFiles ofAdmin() {
    return TlsFiles.trusting(authority()).withIdentity(adminCertificate(), adminKey());
  }

  Path authority() {
    return certificate("ca");
  }

  Path authorityKey() {
    return privateKey("ca");
  }

  Path certificate(TaskName task) {
    return certificate(name(task));
  }

  Path privateKey(TaskName task) {
    return privateKey(name(task));
  }

  Path clientCertificate() {
    return certificate(CLIENT);
  }

  Path clientKey() {
    return privateKey(CLIENT);
  }

  Path adminCertificate() {
    return certificate(ADMIN);
  }

  Path adminKey() {
    return privateKey(ADMIN);
  }

  private static String name(TaskName task) {
    return task.job() + "-" + task.index();
  }

  private Path certificate(String name) {
    return folder.resolve(name + ".pem");
  }

  private Path privateKey(String name) {
    return folder.resolve(name + "-key.pem");
  }
}
