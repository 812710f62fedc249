package dev.tributary.app.launch;

import dev.tributary.cluster.server.TimeLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** Options for the time limits of a server. */
@Command(optionListHeading = "Time limits:")
public final class TimeArguments {
  private static final String SESSION = "--session-timeout";
  private static final String STEP = "--step-timeout";
  private static final String TRANSFER = "--transfer-timeout";
  private static final String STOP = "--stop-timeout";
  private static final String SILENCE = "--silence-limit";
  private static final String LEASE = "--session-lease";
  private static final String IDLE = "--session-idle-limit";

  @Option(
      names = SESSION,
      paramLabel = "SECONDS",
      description = "How long a new session waits for tasks that are not up. 300 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> session = Optional.empty();

  @Option(
      names = STEP,
      paramLabel = "SECONDS",
      description = "How long a step may take if its client sets no limit. 3600 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> step = Optional.empty();

  @Option(
      names = TRANSFER,
      paramLabel = "SECONDS",
      description = "How long a step waits for a tensor from another task. 3600 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> transfer = Optional.empty();

  @Option(
      names = STOP,
      paramLabel = "SECONDS",
      description = "How long the server takes at most to stop. 20 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> stop = Optional.empty();

  @Option(
      names = SILENCE,
      paramLabel = "SECONDS",
      description =
          "How long a task that others wait for may be silent before it counts as lost. 5 by"
              + " default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> silence = Optional.empty();

  @Option(
      names = LEASE,
      paramLabel = "SECONDS",
      description =
          "How long a session outlives its client, if the client is of Tributary. 300 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> lease = Optional.empty();

  @Option(
      names = IDLE,
      paramLabel = "SECONDS",
      description =
          "How long a session lasts without any step, if its client is another one, such as stock"
              + " TensorFlow. 86400 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> idle = Optional.empty();

  public TimeLimits times() {
    TimeLimits times = TimeLimits.defaults();
    times = with(times, SESSION, session, TimeLimits::withSession);
    times = with(times, STEP, step, TimeLimits::withStep);
    times = with(times, TRANSFER, transfer, TimeLimits::withTransfer);
    times = with(times, STOP, stop, TimeLimits::withStop);
    times = with(times, SILENCE, silence, TimeLimits::withSilence);
    times = with(times, LEASE, lease, TimeLimits::withLease);
    return with(times, IDLE, idle, TimeLimits::withIdle);
  }

  private static TimeLimits with(
      TimeLimits times,
      String option,
      Optional<Long> seconds,
      BiFunction<TimeLimits, Duration, TimeLimits> change) {
    return seconds.map(s -> change.apply(times, OptionRange.seconds(option, s))).orElse(times);
  }
}
