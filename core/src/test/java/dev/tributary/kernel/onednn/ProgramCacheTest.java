package dev.tributary.kernel.onednn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;

class ProgramCacheTest {
  private record Missing() implements ProgramCache.Recipe {
    @Override
    public ProgramBuilder prepare() {
      throw TributaryException.unimplemented("nothing for it");
    }
  }

  @Test
  void run_moreShapesThanCapacity_dropsTheEldestAndStillComputes() {
    ProgramCache cache = new ProgramCache(3);
    for (int round = 0; round < 2; round++) {
      for (int classes = 2; classes < 12; classes++) {
        try (Tensor x = Tensor.of(new float[classes]);
            Tensor y = Tensor.of(new float[classes])) {
          SoftmaxRows recipe = new SoftmaxRows(false, 1, classes);
          assertThat(cache.run(recipe, x.address(), y.address())).isTrue();
          assertThat(y.toFloats()).containsOnly(1f / classes);
          assertThat(cache.size()).isLessThanOrEqualTo(3);
        }
      }
    }
  }

  @Test
  void run_recipeWithoutPrimitive_isFalseEachTime() {
    ProgramCache cache = new ProgramCache(3);

    assertThat(cache.run(new Missing())).isFalse();
    assertThat(cache.run(new Missing())).isFalse();
    assertThat(cache.size()).isEqualTo(1);
  }
}
