package dev.tributary.cluster.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RpcThreadsTest {
  @Test
  void after_itsTime_runsOnce() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    try (RpcThreads threads = new RpcThreads()) {
      threads.after(
          Duration.ofMillis(1),
          () -> {
            runs.incrementAndGet();
            ran.countDown();
          });
      assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(runs).hasValue(1);
  }

  @Test
  void after_closedBefore_runsOnceNoneTheLess() {
    AtomicInteger early = new AtomicInteger();
    AtomicInteger late = new AtomicInteger();
    RpcThreads threads = new RpcThreads();
    for (int i = 0; i < 100; i++) {
      threads.after(Duration.ofHours(1), early::incrementAndGet);
    }
    threads.close();
    threads.after(Duration.ofHours(1), late::incrementAndGet);

    assertThat(early).hasValue(100);
    assertThat(late).hasValue(1);
  }

  @Test
  void netty_firstUsedByUs_hasNeitherEventsNorNativeTransports() {
    new RpcThreads().close();

    assertThat(PlatformDependent.isJfrEnabled()).isFalse();
    // gRPC unpacks and loads native transports that it finds, which slows down every start.
    assertThatThrownBy(() -> Class.forName("io.netty.channel.epoll.Epoll"))
        .isInstanceOf(ClassNotFoundException.class);
  }
}
