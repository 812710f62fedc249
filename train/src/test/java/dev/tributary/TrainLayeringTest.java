package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Packages of the training library see core and only those of their own that they stand on. A new
 * package fails until it is here.
 */
class TrainLayeringTest {
  private static final Map<String, Set<String>> ALLOWED =
      Map.ofEntries(
          Map.entry("train.internal", Set.of()),
          Map.entry("train.internal.savedmodel", Set.of()),
          Map.entry("train.data", Set.of("train.variable")),
          Map.entry("train.feature", Set.of("train.data", "train.variable")),
          Map.entry(
              "train.estimator",
              Set.of(
                  "train.data",
                  "train.distribute",
                  "train.feature",
                  "train.hook",
                  "train.model",
                  "train.optimizer",
                  "train.queue",
                  "train.replica",
                  "train.savedmodel",
                  "train.saver",
                  "train.session",
                  "train.variable")),
          Map.entry("train.variable", Set.of("train.internal")),
          Map.entry("train.distribute", Set.of("train.variable", "train.data")),
          Map.entry("train.model", Set.of("train.variable", "train.distribute")),
          Map.entry("train.optimizer", Set.of("train.variable", "train.distribute")),
          Map.entry("train.queue", Set.of("train.variable", "train.internal")),
          Map.entry("train.saver", Set.of("train.variable", "train.queue")),
          Map.entry(
              "train.savedmodel",
              Set.of("train.variable", "train.saver", "train.internal.savedmodel")),
          Map.entry("train.hook", Set.of("train.variable", "train.queue", "train.saver")),
          Map.entry(
              "train.replica",
              Set.of(
                  "train.variable",
                  "train.optimizer",
                  "train.queue",
                  "train.model",
                  "train.hook",
                  "train.internal")),
          Map.entry(
              "train.session",
              Set.of(
                  "train.variable",
                  "train.queue",
                  "train.saver",
                  "train.model",
                  "train.hook",
                  "train.internal")));

  private static Sources sources;

  @BeforeAll
  static void readSources() throws IOException {
    sources = Sources.under(Path.of("src/main/java"));
  }

  @Test
  void packages_allSources_seeOnlyWhatTheyStandOn() {
    List<String> wrong = new ArrayList<>();
    for (String from : sources.packages()) {
      for (String to : sources.importsOf(from)) {
        boolean foreign = to.startsWith("cluster") || to.startsWith("app");
        boolean upward =
            to.startsWith("train.") && !ALLOWED.getOrDefault(from, Set.of()).contains(to);
        if (foreign || upward) {
          wrong.add(from + " -> " + to);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void packages_allSources_areKnownAndDescribed() {
    assertThat(sources.packages()).containsExactlyInAnyOrderElementsOf(ALLOWED.keySet());
    assertThat(sources.undescribed()).isEmpty();
  }
}
