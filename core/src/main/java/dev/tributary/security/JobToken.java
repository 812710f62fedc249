package dev.tributary.security;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Pattern;

/** A secret that the tasks and clients of one job share. Its text form does not tell it. */
public final class JobToken {
  private static final int RANDOM_BYTES = 32;
  private static final int SHORTEST = 16;
  private static final int LONGEST = 4096;
  private static final Pattern FORM = Pattern.compile("[!-~]{" + SHORTEST + "," + LONGEST + "}");

  private static final String POSIX = "posix";
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final String secret;

  private JobToken(String secret) {
    if (!FORM.matcher(secret).matches()) {
      throw TributaryException.invalidArgument(
          "a token must be %d to %d printable ASCII characters without spaces, got %d characters",
          SHORTEST, LONGEST, secret.length());
    }
    this.secret = secret;
  }

  public static JobToken of(String secret) {
    return new JobToken(secret);
  }

  /** One that nobody guesses. */
  public static JobToken random() {
    byte[] bytes = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(bytes);
    return new JobToken(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /**
   * The text of a file, but for spaces and ends of lines around it. A file that every user of the
   * machine can read or write is FAILED_PRECONDITION.
   */
  public static JobToken read(Path file) {
    try {
      String text = Files.readString(file);
      requirePrivate(file);
      return new JobToken(text.strip());
    } catch (IOException e) {
      throw FileFailure.of("read the token from", file, e);
    } catch (TributaryException e) {
      throw e.at(file.toString());
    }
  }

  /**
   * Writes a new file that only its owner can read; one that is there already is ALREADY_EXISTS.
   */
  public void write(Path file) {
    try {
      boolean posix = file.getFileSystem().supportedFileAttributeViews().contains(POSIX);
      Files.createFile(file, posix ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0]);
      Files.writeString(file, secret);
    } catch (FileAlreadyExistsException e) {
      throw new TributaryException(
          ErrorCode.ALREADY_EXISTS, file + " is there already, and tokens are not replaced", e);
    } catch (IOException e) {
      throw FileFailure.of("write the token to", file, e);
    }
  }

  private static void requirePrivate(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains(POSIX)) {
      return;
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (permissions.contains(PosixFilePermission.OTHERS_READ)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw TributaryException.failedPrecondition(
          "every user of the machine can read or change the token (%s): chmod 600 %s",
          PosixFilePermissions.toString(permissions), file);
    }
  }

  /** The secret itself, for those who send or store it. */
  public String secret() {
    return secret;
  }

  /** Returns whether this is the secret; takes as long for a near miss as for any other. */
  public boolean matches(String candidate) {
    return MessageDigest.isEqual(bytes(secret), bytes(candidate));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JobToken that && matches(that.secret);
  }

  @Override
  public int hashCode() {
    return secret.hashCode();
  }

  @Override
  public String toString() {
    return "JobToken[" + secret.length() + " characters]";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
