package dev.tributary.app.launch;

import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The surroundings of this process as far as they say which task it is.
 *
 * @param variables of the environment
 * @param hostName asked only if no variable decides
 */
public record Environment(Map<String, String> variables, Supplier<String> hostName) {
  public Environment {
    variables = Map.copyOf(variables);
  }

  /** The environment of this process. */
  public static Environment ofProcess() {
    return new Environment(System.getenv(), Environment::ownHostName);
  }

  Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isBlank());
  }

  /** The kernel's word where there is one: asking the network may take seconds. */
  private static String ownHostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        throw TributaryException.failedPrecondition(
            "this machine does not know its own name: %s", unknown.getMessage());
      }
    }
  }
}
