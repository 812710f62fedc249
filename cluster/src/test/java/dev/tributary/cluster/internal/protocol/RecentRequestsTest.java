package dev.tributary.cluster.internal.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecentRequestsTest {
  private final RecentRequests requests = new RecentRequests(3);

  @Test
  void requireNew_idThatCameBefore_isAborted() {
    requests.requireNew("RunGraph", 7);

    assertThatThrownBy(() -> requests.requireNew("RunGraph", 7))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("The same RunGraph request was received twice")
        .matches(e -> ((TributaryException) e).code() == ErrorCode.ABORTED);
  }

  @Test
  void requireNew_idOfLongAgo_isForgotten() {
    for (long id = 1; id <= 4; id++) {
      requests.requireNew("RunGraph", id);
    }

    requests.requireNew("RunGraph", 1);
    assertThatThrownBy(() -> requests.requireNew("RunGraph", 4))
        .isInstanceOf(TributaryException.class);
  }

  @Test
  void requireNew_zero_isNotLookedAt() {
    requests.requireNew("RunGraph", 0);
    requests.requireNew("RunGraph", 0);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 15, 16, 17, 100, 1000})
  void requireNew_manyIds_areThoseOfTheLatestRequests(int capacity) {
    Random random = new Random(capacity);
    RecentRequests recent = new RecentRequests(capacity);
    Deque<Long> latest = new ArrayDeque<>();
    for (int i = 0; i < 5 * capacity + 100; i++) {
      // Some in a row, some all over, many of them again.
      long id = random.nextBoolean() ? 1 + random.nextInt(2 * capacity) : random.nextLong();
      if (latest.contains(id)) {
        assertThatThrownBy(() -> recent.requireNew("RunGraph", id))
            .isInstanceOf(TributaryException.class);
      } else {
        recent.requireNew("RunGraph", id);
        latest.add(id);
        if (latest.size() > capacity) {
          latest.remove();
        }
      }
    }
  }
}
