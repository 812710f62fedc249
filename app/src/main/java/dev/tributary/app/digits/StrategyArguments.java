package dev.tributary.app.digits;

import dev.tributary.train.distribute.CentralStorageStrategy;
import dev.tributary.train.distribute.MirroredStrategy;
import dev.tributary.train.distribute.OneDeviceStrategy;
import dev.tributary.train.distribute.Strategy;
import java.util.Optional;
import java.util.function.IntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options for the strategy of a training in one process. */
final class StrategyArguments {
  /** The strategies, by the names that the command line has for them. */
  enum Kind {
    ONE_DEVICE("one-device", replicas -> OneDeviceStrategy.of("/device:CPU:0")),
    MIRRORED("mirrored", MirroredStrategy::of),
    CENTRAL_STORAGE("central-storage", CentralStorageStrategy::of);

    private final String text;
    private final IntFunction<Strategy> maker;

    Kind(String text, IntFunction<Strategy> maker) {
      this.text = text;
      this.maker = maker;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description =
          "Train with the replicas of a strategy in this process: ${COMPLETION-CANDIDATES}. Each"
              + " batch is split over the replicas.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Kind> strategy = Optional.empty();

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "Replicas of --strategy mirrored and central-storage. 2 by default.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Integer> replicas = Optional.empty();

  /** Fails if the options do not fit each other. */
  void check(CommandLine command) {
    if (replicas.isPresent() && (strategy.isEmpty() || strategy.get() == Kind.ONE_DEVICE)) {
      throw new ParameterException(
          command,
          "--replicas has no effect without --strategy mirrored or central-storage: add one of"
              + " them, or leave out --replicas");
    }
    if (replicas.isPresent() && replicas.get() < 1) {
      throw new ParameterException(command, "--replicas must be at least 1, got " + replicas.get());
    }
  }

  Optional<Strategy> toStrategy() {
    return strategy.map(kind -> kind.maker.apply(replicas.orElse(2)));
  }
}
