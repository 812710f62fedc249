package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RpcThreadsTest {
  @Test
  void timer_dueTask_runsOnAThreadOfCalls() throws Exception {
    CompletableFuture<String> ran = new CompletableFuture<>();
    try (RpcThreads threads = new RpcThreads()) {
      threads
          .timer()
          .after(Duration.ofMillis(1), () -> ran.complete(Thread.currentThread().getName()));

      assertThat(ran.get(30, TimeUnit.SECONDS))
          .startsWith("tributary-rpc-")
          .doesNotContain("timer");
    }
  }

  @Test
  void timer_closedBefore_runsOnceNoneTheLess() {
    AtomicInteger early = new AtomicInteger();
    AtomicInteger late = new AtomicInteger();
    RpcThreads threads = new RpcThreads();
    for (int i = 0; i < 100; i++) {
      threads.timer().after(Duration.ofHours(1), early::incrementAndGet);
    }
    threads.close();
    threads.timer().after(Duration.ofHours(1), late::incrementAndGet);

    assertThat(early).hasValue(100);
    assertThat(late).hasValue(1);
  }

  @Test
  void netty_onOurClassPath_hasNoNativeTransports() {
    // gRPC unpacks and loads native transports that it finds, which slows down every start.
    assertThatThrownBy(() -> Class.forName("io.netty.channel.epoll.Epoll"))
        .isInstanceOf(ClassNotFoundException.class);
  }
}
