package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.file.FileFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;

/** A secret that the tasks and clients of one job share. Its text form does not tell it. */
public final class JobToken {
  private static final int RANDOM_BYTES = 32;
  private static final int SHORTEST = 16;
  private static final int LONGEST = 4096;
  private static final Pattern FORM = Pattern.compile("[!-~]{" + SHORTEST + "," + LONGEST + "}");

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

  /** The text of a file, but for spaces and ends of lines around it. */
  public static JobToken read(Path file) {
    try {
      return new JobToken(Files.readString(file).strip());
    } catch (IOException e) {
      throw FileFailure.of("read the token from", file, e);
    } catch (TributaryException e) {
      throw e.at(file.toString());
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
