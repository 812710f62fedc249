package dev.tributary.internal.op;

import dev.tributary.tensor.DataType;
import java.util.Optional;

/**
 * An input or output of an op. Its type is fixed, or named by a type attribute; it may stand for a
 * list of equal types whose length is an int attribute, or for a list of types which a list
 * attribute gives.
 */
public record ArgDef(
    String name,
    Optional<DataType> type,
    Optional<String> typeAttr,
    Optional<String> numberAttr,
    Optional<String> typeListAttr,
    boolean isRef) {
  public boolean isList() {
    return numberAttr.isPresent() || typeListAttr.isPresent();
  }
}
