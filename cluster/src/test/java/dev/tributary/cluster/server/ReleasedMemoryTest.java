package dev.tributary.cluster.server;

import dev.tributary.testing.JavaProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Memory goes back to the system, in the eyes of the system. */
@Tag("processes")
@Timeout(120)
@EnabledOnOs(value = OS.LINUX, disabledReason = "no file tells how large the process is")
class ReleasedMemoryTest {
  @Test
  void feed_largeAndReleased_leavesTheProcessSmall() throws Exception {
    try (JavaProgram program = JavaProgram.start(FeedAndRelease.class)) {
      program.awaitSuccess();
    }
  }
}
