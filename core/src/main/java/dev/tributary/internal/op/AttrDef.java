package dev.tributary.internal.op;

import dev.tributary.op.AttrValue;
import java.util.List;
import java.util.Optional;

/**
 * An attribute of an op: its type as TensorFlow names it, its default, and what values it may take.
 */
public record AttrDef(
    String name,
    String type,
    Optional<AttrValue> defaultValue,
    Optional<Long> minimum,
    List<AttrValue> allowed) {
  public AttrDef {
    allowed = List.copyOf(allowed);
  }

  public boolean isList() {
    return type.startsWith("list(");
  }
}
