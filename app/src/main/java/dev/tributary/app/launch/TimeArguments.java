package dev.tributary.app.launch;

import dev.tributary.cluster.server.TimeLimits;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;

/** How long a server waits for what, where its defaults do not fit. */
public final class TimeArguments {
  @Option(
      names = "--session-timeout",
      paramLabel = "SECONDS",
      description = "How long a new session waits for tasks that are not up; 300 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> session = Optional.empty();

  @Option(
      names = "--step-timeout",
      paramLabel = "SECONDS",
      description = "How long a step may take whose client says nothing else; 3600 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> step = Optional.empty();

  @Option(
      names = "--transfer-timeout",
      paramLabel = "SECONDS",
      description = "How long a step waits for a value of another task; 3600 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> transfer = Optional.empty();

  @Option(
      names = "--stop-timeout",
      paramLabel = "SECONDS",
      description = "After which a server that is told to stop is gone; 20 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> stop = Optional.empty();

  @Option(
      names = "--silence-limit",
      paramLabel = "SECONDS",
      description = "After which a silent task that others wait for is lost; 5 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Long> silence = Optional.empty();

  public TimeLimits times() {
    TimeLimits times = TimeLimits.defaults();
    times = with(times, session, TimeLimits::withSession);
    times = with(times, step, TimeLimits::withStep);
    times = with(times, transfer, TimeLimits::withTransfer);
    times = with(times, stop, TimeLimits::withStop);
    return with(times, silence, TimeLimits::withSilence);
  }

  private static TimeLimits with(
      TimeLimits times,
      Optional<Long> seconds,
      BiFunction<TimeLimits, Duration, TimeLimits> change) {
    return seconds.map(s -> change.apply(times, Duration.ofSeconds(s))).orElse(times);
  }
}
