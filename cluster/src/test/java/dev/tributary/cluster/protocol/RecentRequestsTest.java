package dev.tributary.cluster.protocol;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import org.junit.jupiter.api.Test;

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
}
