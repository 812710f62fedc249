package dev.tributary.internal.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Puts into words who holds how much. */
final class MemoryHolders {
  private static final int MOST_KINDS = 6;
  private static final int LONGEST_NAME = 60;

  /** All holders of one kind. */
  private static final class Kind {
    final String name;
    long bytes;
    MemoryHolder largest;

    Kind(String name) {
      this.name = name;
    }

    void add(MemoryHolder holder) {
      bytes += holder.bytes();
      largest = largest == null || holder.bytes() > largest.bytes() ? holder : largest;
    }

    @Override
    public String toString() {
      String total = name + " " + ByteText.of(bytes);
      return largest.name().isEmpty()
          ? total
          : String.format(
              "%s (the largest is '%s' with %s)",
              total, brief(largest.name()), ByteText.of(largest.bytes()));
    }
  }

  private MemoryHolders() {}

  /**
   * {@code variables 512.0 MiB (the largest is 'w' with 400.0 MiB), queues 100.0 MiB, ...}: the
   * kinds that hold most.
   *
   * @param used what all hold together; those that nobody listed are the values of steps
   */
  static String text(List<MemoryHolder> holders, long used) {
    long listed = holders.stream().mapToLong(MemoryHolder::bytes).sum();
    List<MemoryHolder> all = new ArrayList<>(holders);
    all.add(new MemoryHolder("values of steps", "", Math.max(0, used - listed)));
    Map<String, Kind> kinds = new LinkedHashMap<>();
    for (MemoryHolder holder : all) {
      if (holder.bytes() > 0) {
        kinds.computeIfAbsent(holder.kind(), Kind::new).add(holder);
      }
    }
    return kinds.isEmpty()
        ? "nothing"
        : kinds.values().stream()
            .sorted(Comparator.comparingLong((Kind kind) -> kind.bytes).reversed())
            .limit(MOST_KINDS)
            .map(Kind::toString)
            .collect(Collectors.joining(", "));
  }

  private static String brief(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
  }
}
