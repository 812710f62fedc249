package dev.tributary.cluster.internal.protocol;

import java.util.List;

/** Switches the record of transfers on or off, clears it, or asks for the transfers of steps. */
public record LoggingRequest(
    boolean enable, boolean disable, boolean clear, List<Long> fetchSteps) {
  public LoggingRequest {
    fetchSteps = List.copyOf(fetchSteps);
  }
}
