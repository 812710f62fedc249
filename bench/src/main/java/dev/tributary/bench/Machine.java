package dev.tributary.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The machine that figures were measured on.
 *
 * @param processor the model's name, or the architecture where the system does not tell
 * @param cores logical processors that this process may use
 */
record Machine(String processor, int cores, long memoryBytes, String system, String jdk) {
  static Machine here() {
    return new Machine(
        processor(Path.of("/proc/cpuinfo")),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
  }

  private static String processor(Path info) {
    try (Stream<String> lines = Files.lines(info)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException e) {
      return System.getProperty("os.arch"); // Systems other than Linux have no such file.
    }
  }

  @Override
  public String toString() {
    return "%s, %d cores, %.0f GiB, %s, %s"
        .formatted(processor, cores, memoryBytes / 0x1p30, system, jdk);
  }
}
