package dev.tributary.internal.kernel.onednn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
          assertThat(cache.run(recipe, x.storage().address(), y.storage().address())).isTrue();
          assertThat(y.toFloats()).containsOnly(1f / classes);
          assertThat(cache.size()).isLessThanOrEqualTo(3);
        }
      }
    }
  }

  /** Waits in the middle of being made. */
  private record Slow(CountDownLatch begun, CountDownLatch released)
      implements ProgramCache.Recipe {
    @Override
    public ProgramBuilder prepare() {
      begun.countDown();
      try {
        if (!released.await(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException("nobody released it");
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new SoftmaxRows(false, 1, 3).prepare();
    }
  }

  @Test
  @Timeout(60)
  void run_whileAnotherProgramIsMade_doesNotWait() throws Exception {
    ProgramCache cache = new ProgramCache(3);
    Slow slow = new Slow(new CountDownLatch(2), new CountDownLatch(1));
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Tensor x = Tensor.of(new float[3]);
        Tensor y = Tensor.of(new float[3]);
        Tensor z = Tensor.of(new float[3])) {
      Future<Boolean> first =
          threads.submit(() -> cache.run(slow, x.storage().address(), y.storage().address()));
      Future<Boolean> second =
          threads.submit(() -> cache.run(slow, x.storage().address(), z.storage().address()));
      assertThat(slow.begun.await(30, TimeUnit.SECONDS)).isTrue();

      assertThat(
              cache.run(new SoftmaxRows(false, 1, 3), x.storage().address(), y.storage().address()))
          .isTrue();

      slow.released.countDown();
      assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(z.toFloats()).containsOnly(1f / 3);
      assertThat(cache.size()).isEqualTo(2);
    } finally {
      threads.shutdownNow();
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
