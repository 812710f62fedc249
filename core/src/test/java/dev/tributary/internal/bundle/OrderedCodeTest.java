package dev.tributary.internal.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderedCodeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 80",
    "2, 82",
    "-1, 7f",
    "63, bf",
    "-64, 40",
    "64, c040",
    "8191, dfff",
    "8192, e02000",
    "-65, 3fbf"
  })
  void signed_knownNumbers_areTensorFlows(long value, String bytes) {
    assertThat(HexFormat.of().formatHex(signed(value))).isEqualTo(bytes);
  }

  @Test
  void signed_randomNumbers_keepTheirOrder() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      long a = random.nextLong() >> random.nextInt(64);
      long b = random.nextLong() >> random.nextInt(64);

      assertThat(Integer.signum(Arrays.compareUnsigned(signed(a), signed(b))))
          .as("%d and %d", a, b)
          .isEqualTo(Long.compare(a, b));
    }
  }

  @Test
  void sliceKey_knownSlice_isTensorFlows() {
    byte[] key = OrderedCode.sliceKey("v", TensorSlice.parse("0,2:-"));

    assertThat(HexFormat.of().formatHex(key)).isEqualTo("0076000101028082807f");
  }

  private static byte[] signed(long value) {
    OrderedCode code = new OrderedCode();
    code.signed(value);
    return code.toByteArray();
  }
}
