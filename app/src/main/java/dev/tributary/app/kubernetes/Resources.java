package dev.tributary.app.kubernetes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The processors and the memory of a container. Tensors are outside of the Java heap, which so gets
 * a small part of the memory.
 *
 * @param cpus whole cores, so that no thread that computes waits for a share of one
 */
record Resources(int cpus, Quantity memory) {
  private static final long MEGABYTE = 1 << 20;
  private static final long LEAST_HEAP = 256 * MEGABYTE;
  private static final long LARGEST_HEAP = 2048 * MEGABYTE;
  private static final int HEAP_PART = 5;
  private static final int REST_PART = 10;
  private static final long LEAST_REST = 256 * MEGABYTE;

  /** The largest Java heap. */
  long heapBytes() {
    return Math.max(LEAST_HEAP, Math.min(LARGEST_HEAP, memory.bytes() / HEAP_PART));
  }

  /** Returns the memory for tensors beside the heap, threads, code and the allocator's slack. */
  long tensorBytes() {
    long rest = Math.max(LEAST_REST, memory.bytes() / REST_PART);
    return Math.max(0, memory.bytes() - heapBytes() - rest);
  }

  /** Options of the virtual machine, in the variable that it reads by itself. */
  Map<String, String> environment() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("JAVA_TOOL_OPTIONS", "-Xmx" + heapBytes() / MEGABYTE + "m");
    variables.put("MALLOC_ARENA_MAX", "2");
    return variables;
  }

  /** Returns the request of the container, which is also its limit. */
  Map<String, Object> toYaml() {
    Map<String, Object> yaml = new LinkedHashMap<>();
    for (String kind : List.of("requests", "limits")) {
      Map<String, Object> amounts = new LinkedHashMap<>();
      amounts.put("cpu", Integer.toString(cpus));
      amounts.put("memory", memory.text());
      yaml.put(kind, amounts);
    }
    return yaml;
  }
}
