package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsistencyTest {
  @ParameterizedTest
  @ValueSource(strings = {"sync", "sync+backup(1)", "ssp(0)", "ssp(3)", "async"})
  void parse_wordsOfEachKind_areItsText(String words) {
    assertThat(Consistency.parse(words)).hasToString(words);
  }

  @Test
  void parse_numbers_areBackupsAndBound() {
    assertThat(Consistency.parse("sync+backup(2)")).isEqualTo(Consistency.syncWithBackups(2));
    assertThat(Consistency.parse("ssp(7)")).isEqualTo(Consistency.ssp(7));
    assertThat(Consistency.parse("sync+backup(0)")).isEqualTo(Consistency.sync());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "bsp", "ssp", "ssp(-1)", "sync(2)", "async(1)", "ssp(9999999999)"})
  void parse_otherWords_areRefusedWithWhatIsWanted(String words) {
    assertThatThrownBy(() -> Consistency.parse(words))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'" + words + "'")
        .hasMessageContaining(Consistency.WORDS);
  }

  @Test
  void of_asManyBackupsAsWorkers_isRefused() {
    assertThatThrownBy(
            () ->
                ReplicatedOptimizer.of(
                    new GradientDescentOptimizer(0.1), Consistency.syncWithBackups(2), 2))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("sync+backup(2)");
  }

  @Test
  void liveness_limitNotAboveTheBeat_isRefused() {
    assertThatThrownBy(() -> new Liveness(Duration.ofSeconds(1), Duration.ofSeconds(1)))
        .isInstanceOf(TributaryException.class);
  }
}
