package dev.tributary.app.http;

import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.TributaryException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** The option for the HTTP port of a task. */
@Command(optionListHeading = "Operation:")
public final class HttpArguments {
  private static final String OPTION = "--http-port";
  private static final String LOOPBACK = "localhost";

  @Option(
      names = OPTION,
      paramLabel = "[HOST:]PORT",
      description =
          "Answer probes (/livez, /readyz) and show metrics to Prometheus (/metrics) by HTTP at"
              + " this port. Without HOST only this machine reaches it; 0.0.0.0 is any address. 0"
              + " is any free port. Off by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<String> address = Optional.empty();

  /** Starts to serve what the option asks for, for a task of a cluster. */
  public Monitoring start(String job, int task) {
    return address.map(text -> Monitoring.start(parse(text), job, task)).orElseGet(Monitoring::off);
  }

  /** Starts to serve what the option asks for, for a process that is no task of a cluster. */
  public Monitoring start() {
    return start("", 0);
  }

  private static HostAndPort parse(String text) {
    try {
      return HostAndPort.parse(text.contains(":") ? text : LOOPBACK + ":" + text);
    } catch (TributaryException e) {
      throw e.at(OPTION);
    }
  }
}
