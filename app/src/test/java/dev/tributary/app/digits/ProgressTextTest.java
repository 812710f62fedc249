package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTextTest {
  private static final ProgressText THIRD =
      new ProgressText(230, 690, 0.12345f, Optional.of(Duration.ofSeconds(72)));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          60 | step 230/690  33 % [=====>          ] 1:12 left  loss 0.1235
          50 | step 230/690  33 % [=====>           ] loss 0.1235
          40 | step 230/690  33 %  loss 0.1235
          20 | 33 %  loss 0.1235
          12 | loss 0.1235
          6  | loss 0
          """)
  void bar_narrowTerminal_keepsTheLoss(int width, String line) {
    assertThat(THIRD.bar(width)).isEqualTo(line);
  }

  @Test
  void bar_anyWidth_fits() {
    for (int width = 1; width < 200; width++) {
      assertThat(THIRD.bar(width).length()).isLessThanOrEqualTo(width);
    }
  }

  @Test
  void step_pastTheLast_isTheLast() {
    ProgressText past = new ProgressText(692, 690, 0.5f, Optional.empty());

    assertThat(past.plain()).isEqualTo("step 690 of 690 (100 %), loss 0.5000");
    assertThat(past.bar(43)).isEqualTo("step 690/690 100 % [==========] loss 0.5000");
  }

  @Test
  void plain_hoursLeft_areToldInHours() {
    ProgressText begun = new ProgressText(1, 1000, 2, Optional.of(Duration.ofMinutes(61)));

    assertThat(begun.plain()).isEqualTo("step 1 of 1000 (0 %), loss 2.0000, 1:01 h left");
  }
}
