package dev.tributary.kernel.lookup;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Map;

/** A table that steps may change at any time. */
final class MutableHashTable extends LookupTable {
  MutableHashTable(String name, DataType keyType, DataType valueType, Shape valueShape) {
    super(name, keyType, valueType, valueShape);
  }

  @Override
  boolean takesDefaults() {
    return true;
  }

  @Override
  void insert(Tensor keys, Tensor values) {
    Map<Object, Object> more = entriesOf(keys, values);
    writing(entries -> entries.putAll(more));
  }

  @Override
  void replaceAll(Tensor keys, Tensor values) {
    Map<Object, Object> all = entriesOf(keys, values);
    writing(
        entries -> {
          entries.clear();
          entries.putAll(all);
        });
  }
}
