package dev.tributary.cluster.internal.protocol;

import java.util.List;

/**
 * @param containers what to clear; the default container if empty
 * @param deviceFilters on which tasks; all if empty
 */
public record ResetRequest(List<String> containers, List<String> deviceFilters) {
  public ResetRequest {
    containers = List.copyOf(containers);
    deviceFilters = List.copyOf(deviceFilters);
  }
}
