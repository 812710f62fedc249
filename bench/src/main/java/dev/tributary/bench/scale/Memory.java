package dev.tributary.bench.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The memory of this process after a garbage collection.
 *
 * @param heapMegabytes objects on the Java heap
 * @param residentMegabytes all of the process that is in memory: heap, native buffers, stacks, code
 */
record Memory(double heapMegabytes, double residentMegabytes, int threads) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  static Memory afterCollection() {
    // Buffers whose owners the first collection finds are freed by the second.
    System.gc();
    System.gc();
    return new Memory(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6,
        residentKibibytes() * 1024 / 1e6,
        ManagementFactory.getThreadMXBean().getThreadCount());
  }

  private static long residentKibibytes() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .map(line -> line.substring(RESIDENT.length()).replace("kB", "").strip())
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException(STATUS + " has no line " + RESIDENT));
    } catch (IOException e) {
      throw new UncheckedIOException("resident memory is known on Linux only", e);
    }
  }
}
