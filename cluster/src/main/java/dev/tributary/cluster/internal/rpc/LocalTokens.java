package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.TributaryException;
import dev.tributary.security.JobToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens by which servers at loopback addresses recognise clients of their own user, on systems
 * that do not say whose a connection is. Each server writes one into a file that only the user can
 * read and that is named after its port, and removes it at its end; clients of ours read it when
 * they connect. A token is new with every server: whoever takes the port of a server that was
 * killed learns nothing from those who still call it. Immutable.
 */
record LocalTokens(Path folder) {
  private static final Logger LOG = LoggerFactory.getLogger(LocalTokens.class);

  /** Those of this user. */
  static LocalTokens ofUser() {
    return new LocalTokens(Path.of(System.getProperty("user.home"), ".tributary", "servers"));
  }

  /** Makes the token that a server requires of its callers. */
  BearerToken newToken() {
    return new BearerToken(JobToken.random(), "one that only its own user can read, in " + folder);
  }

  void write(int port, BearerToken token) {
    try {
      Files.createDirectories(folder.getParent());
      if (!Files.isDirectory(folder)) {
        Files.createDirectory(folder, ownerOnly("rwx------"));
      }
      Path written = Files.createTempFile(folder, "new-", "", ownerOnly("rw-------"));
      Files.writeString(written, token.token().secret());
      Files.move(written, file(port), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw TributaryException.failedPrecondition(
          "this system does not tell its users apart, and the token for clients of the own user"
              + " cannot be written to %s: %s; let in every user of the machine"
              + " (ServerOptions.withAnyLocalUser, --any-local-user), or give the server a token"
              + " (--token-file)",
          folder, e);
    }
  }

  /** The token of the server at an address, if it is of this machine and has written one. */
  Optional<BearerToken> find(HostAndPort address) {
    Path file = file(address.port());
    if (!address.isLoopback() || !Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(BearerToken.ofJob(JobToken.read(file)));
    } catch (TributaryException e) {
      LOG.debug("no token for {}: {}", address, e.getMessage());
      return Optional.empty();
    }
  }

  void remove(int port) {
    try {
      Files.deleteIfExists(file(port));
    } catch (IOException e) {
      LOG.debug("{} stays: {}", file(port), e.toString());
    }
  }

  private Path file(int port) {
    return folder.resolve(Integer.toString(port));
  }

  private FileAttribute<?>[] ownerOnly(String permissions) {
    return folder.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
