package dev.tributary.internal.kernel.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;

class MultinomialTest {
  private static final float NONE = Float.NEGATIVE_INFINITY;
  private static final int SAMPLES = 7;

  /** Plain weights; two equal ones among logits that do not count; no weight at all. */
  private static final float[] LOGITS = {0, 1, 2, 3, 5, Float.NaN, 5, NONE, NONE, NONE, NONE, NONE};

  @Test
  void draws_successiveRuns_equalStock() {
    GuardedPhilox state = GuardedPhilox.ofSeeds(87654321, 42, () -> 0);
    long outputs = Multinomial.outputs(3, SAMPLES);
    assertThat(draws(state.reserveOutputs(outputs), DataType.INT64).toLongs())
        .containsExactly(3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 2, 2, 2, 0, 4, 4, 4, 4, 4, 4, 4);
    assertThat(draws(state.reserveOutputs(outputs), DataType.INT32).toInts())
        .containsExactly(3, 3, 3, 3, 3, 3, 3, 2, 0, 0, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4);
  }

  @Test
  void draws_ofAStatelessSeed_equalStock() {
    assertThat(draws(Philox.ofStatelessSeed(87654321, 42), DataType.INT64).toLongs())
        .containsExactly(1, 2, 3, 3, 3, 3, 1, 2, 2, 2, 0, 2, 0, 2, 4, 4, 4, 4, 4, 4, 4);
  }

  @Test
  void draws_ofHalvesAndBfloats_equalThoseOfFloats() {
    long[] ofFloats = draws(Philox.ofSeeds(1, 2), DataType.INT64).toLongs();
    short[] halves = {
      0,
      0x3c00,
      0x4000,
      0x4200,
      0x4500,
      0x7e00,
      0x4500,
      neg(0x7c00),
      neg(0x7c00),
      neg(0x7c00),
      neg(0x7c00),
      neg(0x7c00)
    };
    short[] bfloats = new short[LOGITS.length];
    for (int i = 0; i < bfloats.length; i++) {
      bfloats[i] = (short) (Float.floatToRawIntBits(LOGITS[i]) >>> 16);
    }
    try (Tensor half = Tensor.of(DataType.HALF, Shape.of(3, 4), halves);
        Tensor bfloat = Tensor.of(DataType.BFLOAT16, Shape.of(3, 4), bfloats)) {
      assertThat(draws(Philox.ofSeeds(1, 2), half, DataType.INT64).toLongs()).isEqualTo(ofFloats);
      assertThat(draws(Philox.ofSeeds(1, 2), bfloat, DataType.INT64).toLongs()).isEqualTo(ofFloats);
    }
  }

  @Test
  void types_notReal_areRefused() {
    assertThatThrownBy(() -> new Multinomial(DataType.INT32, DataType.INT64))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("int32");
    assertThatThrownBy(() -> new Multinomial(DataType.FLOAT, DataType.FLOAT))
        .hasMessageContaining("float");
  }

  private static short neg(int bits) {
    return (short) (bits | 0x8000);
  }

  private static Tensor draws(Philox stream, DataType output) {
    try (Tensor logits = Tensor.of(Shape.of(3, 4), LOGITS)) {
      return draws(stream, logits, output);
    }
  }

  private static Tensor draws(Philox stream, Tensor logits, DataType output) {
    Tensor drawn = Tensor.allocate(output, Shape.of(3, SAMPLES));
    new Multinomial(logits.type(), output)
        .fill(stream, logits.storage().address(), 3, 4, SAMPLES, drawn.storage().address());
    return drawn;
  }
}
