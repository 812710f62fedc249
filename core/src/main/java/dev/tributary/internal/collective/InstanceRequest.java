package dev.tributary.internal.collective;

import dev.tributary.internal.kernel.CollectiveKind;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.time.Duration;
import java.util.List;

/**
 * One member's idea of a collective, which all members must agree on.
 *
 * @param name of the operation, for errors
 * @param isSource whether the member has the value that a broadcast spreads
 * @param limit the longest time that the member waits for the others
 */
public record InstanceRequest(
    String name,
    CollectiveKind kind,
    DataType type,
    Shape shape,
    int groupKey,
    int groupSize,
    int instanceKey,
    String deviceType,
    List<Integer> offsets,
    String device,
    boolean isSource,
    Duration limit) {
  public InstanceRequest {
    offsets = List.copyOf(offsets);
  }

  boolean agreesWith(InstanceRequest other) {
    return kind == other.kind && type == other.type && shape.equals(other.shape);
  }

  /** Returns whether a member wants what it wanted before. */
  public boolean isSameAs(InstanceRequest other) {
    return agreesWith(other) && isSource == other.isSource;
  }

  String describe() {
    return String.format("a %s of %s %s by %s ('%s')", kind, type.lowerName(), shape, device, name);
  }
}
