package dev.tributary.internal.memory;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The memory that this process may use: the machine's, or less if its container says so.
 *
 * <p>On Linux it is read from the system's files, since the virtual machine needs a tenth of a
 * second to answer, and looks at the innermost control group only.
 */
public final class MachineMemory {
  private static final String MEMORY_FILE = "proc/meminfo";
  private static final String GROUPS_FILE = "proc/self/cgroup";
  private static final Path GROUPS = Path.of("sys/fs/cgroup");
  private static final double SHARE = 0.8;

  private final Path root;

  /**
   * @param root where the system's files are; {@code /} but in tests
   */
  MachineMemory(Path root) {
    this.root = root;
  }

  /**
   * The default limit on the native memory of this process: four fifths of the memory that there
   * is, without what the Java heap may grow to; at least a quarter of it.
   */
  public static long defaultLimit() {
    return DefaultLimit.BYTES;
  }

  static long defaultLimit(long total, long largestHeap) {
    return Math.max(total / 4, (long) (SHARE * total) - largestHeap);
  }

  /** All that there is, in bytes. */
  long total() {
    long total = machine().orElseGet(MachineMemory::asTheVirtualMachineSays);
    for (String line : lines(root.resolve(GROUPS_FILE))) {
      total = Math.min(total, ofGroup(line));
    }
    return total;
  }

  private OptionalLong machine() {
    return lines(root.resolve(MEMORY_FILE)).stream()
        .filter(line -> line.startsWith("MemTotal:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst();
  }

  /**
   * The limit of a control group and of those that it is in.
   *
   * @param line {@code hierarchy:controllers:path}; version 2 has one hierarchy and names no
   *     controllers
   */
  private long ofGroup(String line) {
    String[] parts = line.split(":", 3);
    boolean isVersion2 = parts.length == 3 && parts[0].equals("0");
    if (parts.length < 3 || !isVersion2 && !List.of(parts[1].split(",")).contains("memory")) {
      return Long.MAX_VALUE;
    }
    Path top = root.resolve(isVersion2 ? GROUPS : GROUPS.resolve("memory"));
    String file = isVersion2 ? "memory.max" : "memory.limit_in_bytes";
    long least = Long.MAX_VALUE;
    // In a container, the path may be the one outside; its own group is then the top.
    Path named = top.resolve(parts[2].replaceFirst("^/+", "")).normalize();
    Path group = named.startsWith(top) ? named : top;
    for (; group.startsWith(top); group = group.getParent()) {
      for (String limit : lines(group.resolve(file))) {
        least = limit.matches("\\d{1,18}") ? Math.min(least, Long.parseLong(limit)) : least;
      }
    }
    return least;
  }

  /** None if there is no such file. */
  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  private static long asTheVirtualMachineSays() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
  }

  /** Asked for once. */
  private static final class DefaultLimit {
    static final long BYTES =
        defaultLimit(new MachineMemory(Path.of("/")).total(), Runtime.getRuntime().maxMemory());
  }
}
