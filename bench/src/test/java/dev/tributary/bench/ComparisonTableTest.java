package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTableTest {
  private static final String PLAIN = "tensorflow-2.18";
  private static final String TUNED = "tensorflow-2.18-tuned";

  @Test
  void rate_isComparedWithStocksLargest() {
    assertThat(table(rate(PLAIN, 775.2), rate(TUNED, 1174), rate("tributary", 1761)))
        .isEqualTo(
            """
            | workload | parameters | unit | tensorflow-2.18 | tensorflow-2.18-tuned | tributary | ratio |
            |---|---|---|--:|--:|--:|--:|
            | cnn | mode=local | examples/s | 775.2 | 1,174 | 1,761 | 1.50 x |
            """);
  }

  @Test
  void time_isComparedWithStocksSmallest() {
    assertThat(table(time(PLAIN, 320, 1000), time(TUNED, 400, 1000), time("tributary", 80, 500)))
        .endsWith("| op-overhead | ops=1000 | ns/op | 320.0 | 400.0 | 80.00 | 0.25 x |\n");
  }

  @Test
  void row_withoutOurFigure_hasNoRatio() {
    assertThat(table(time("tributary", 9.5, 1), rate(PLAIN, 10)))
        .contains("| 9.500 | - | - |")
        .contains("| - | 10.00 | - |");
  }

  @Test
  void line_ofTheDriver_isRead() {
    assertThat(
            ResultLine.parse(
                "{\"peer\": \"p\", \"bench\": \"op-overhead\", \"params\": {\"ops\": 1000,"
                    + " \"what\": \"a b\"}, \"unit\": \"ns/op\", \"median\": 1.5e+03,"
                    + " \"best\": 2.0, \"rounds\": [3.0, 4.0]}"))
        .isEqualTo(
            new ResultLine(
                "p", "op-overhead", Map.of("ops", "1000", "what", "a b"), "ns/op", 1500, 2));
  }

  @Test
  void line_ofAnotherForm_isRefused() {
    assertThatThrownBy(() -> ResultLine.parse("mlp 3"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mlp 3");
  }

  private static String table(ResultLine... lines) {
    return new ComparisonTable(List.of(lines)).toMarkdown();
  }

  private static ResultLine rate(String peer, double median) {
    return new ResultLine(peer, "cnn", Map.of("mode", "local"), "examples/s", median, 5);
  }

  private static ResultLine time(String peer, double median, int executed) {
    Map<String, String> parameters = Map.of("ops", "1000", "executed", "" + executed);
    return new ResultLine(peer, "op-overhead", parameters, "ns/op", median, 5);
  }
}
