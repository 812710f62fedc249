package dev.tributary.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UseCountTest {
  private final AtomicInteger closings = new AtomicInteger();
  private final UseCount uses = new UseCount(closings::incrementAndGet);

  @Test
  void close_unused_happensAtOnceAndOnce() {
    uses.close();
    uses.close();

    assertThat(closings).hasValue(1);
    assertThat(uses.enter()).isFalse();
  }

  @Test
  void close_inUse_happensWhenTheLastOneLeaves() {
    uses.enter();
    uses.enter();

    uses.close();
    uses.leave();
    assertThat(closings).hasValue(0);
    uses.leave();

    assertThat(closings).hasValue(1);
  }

  @Test
  void leave_open_closesNothing() {
    uses.enter();
    uses.leave();

    assertThat(closings).hasValue(0);
    assertThat(uses.enter()).isTrue();
  }
}
