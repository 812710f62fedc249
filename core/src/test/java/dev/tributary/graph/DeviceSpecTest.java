package dev.tributary.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSpecTest {
  @ParameterizedTest
  @CsvSource({
    "/job:ps/replica:0/task:1/device:CPU:0, /job:ps/replica:0/task:1/device:CPU:0",
    "/task:1/job:ps, /job:ps/task:1",
    "/job:ps/cpu:0, /job:ps/device:CPU:0",
    "/gpu:1, /device:GPU:1",
    "/GPU:*, /device:GPU:*",
    "/device:GPU, /device:GPU:*",
    "CPU:0, /device:CPU:0",
    "/job:*/task:2, /task:2",
    "/, ''",
    "'', ''"
  })
  void parse_anyForm_isWrittenCanonically(String text, String canonical) {
    assertThat(DeviceSpec.parse(text)).hasToString(canonical);
    assertThat(DeviceSpec.parse(canonical)).isEqualTo(DeviceSpec.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/job:",
        "/job:1a",
        "/task:-1",
        "/task:x",
        "/device:",
        "/device:CPU:x",
        "//",
        "/job:ps/",
        "/cpu:",
        "/a:b",
        "job:ps"
      })
  void parse_malformed_isRefused(String text) {
    assertThatThrownBy(() -> DeviceSpec.parse(text))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @Test
  void orElse_partsLeftOpen_comeFromOutside() {
    DeviceSpec inner = DeviceSpec.parse("/task:2");

    assertThat(inner.orElse(DeviceSpec.parse("/job:ps/task:1/device:GPU:3")))
        .hasToString("/job:ps/task:2/device:GPU:3");
  }

  @Test
  void orElse_typeWithoutIndex_doesNotTakeAnotherTypesIndex() {
    assertThat(DeviceSpec.parse("/device:CPU").orElse(DeviceSpec.parse("/device:GPU:3")))
        .hasToString("/device:CPU:*");
  }

  @Test
  void matches_namedParts_mustBeTheSame() {
    DeviceSpec device = DeviceSpec.parse("/job:ps/replica:0/task:1/device:CPU:0");

    assertThat(DeviceSpec.parse("/job:ps/cpu:*").matches(device)).isTrue();
    assertThat(DeviceSpec.parse("/job:ps/task:0").matches(device)).isFalse();
    assertThat(DeviceSpec.empty().matches(device)).isTrue();
    assertThat(device.isComplete()).isTrue();
    assertThat(DeviceSpec.parse("/job:ps").isComplete()).isFalse();
  }
}
