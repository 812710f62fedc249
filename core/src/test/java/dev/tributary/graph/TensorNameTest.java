package dev.tributary.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TensorNameTest {
  @Test
  void parse_threeForms_areRead() {
    assertThat(TensorName.parse("a/b")).isEqualTo(new TensorName("a/b", 0)).hasToString("a/b:0");
    assertThat(TensorName.parse("a/b:12"))
        .isEqualTo(new TensorName("a/b", 12))
        .hasToString("a/b:12");
    assertThat(TensorName.parse("^a/b"))
        .isEqualTo(new TensorName("a/b", TensorName.CONTROL))
        .hasToString("^a/b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":0",
        "a:",
        "a:01",
        "a:-1",
        "a:+1",
        "a:1x",
        "a:b:0",
        "^",
        "^a:0",
        "^^a",
        "a:9999999999",
        "a:\u0661"
      })
  void parse_malformed_isRefused(String text) {
    assertThatThrownBy(() -> TensorName.parse(text))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'" + text + "'");
  }
}
