package dev.tributary.cluster.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RareLogTest {
  private final List<String> lines = new ArrayList<>();
  private long now = TimeUnit.SECONDS.toNanos(-5);
  private final RareLog log = new RareLog(lines::add, () -> now);

  @Test
  void write_oftenInTenSeconds_isDoneOnceAndCounted() {
    log.write("a");
    log.write("b");
    log.write("c");
    now += TimeUnit.SECONDS.toNanos(10);
    log.write("d");
    now += TimeUnit.SECONDS.toNanos(10);
    log.write("e");

    assertThat(lines).containsExactly("a", "d (2 similar lines were left out)", "e");
  }

  @Test
  void write_longTextWithLineBreaks_isOneLineOfBoundedLength() {
    log.write("node 'a\nb\r\nc" + "x".repeat(100_000) + "'");

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0)).startsWith("node 'a b cxx").hasSizeLessThan(1_000);
  }
}
