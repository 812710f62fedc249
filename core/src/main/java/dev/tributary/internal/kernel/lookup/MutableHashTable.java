package dev.tributary.internal.kernel.lookup;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Map;

/** A table that steps may change at any time. */
class MutableHashTable extends LookupTable {
  MutableHashTable(
      String name, DataType keyType, DataType valueType, Shape valueShape, MemoryBudget budget) {
    super(name, keyType, valueType, valueShape, budget);
  }

  @Override
  boolean takesDefaults() {
    return true;
  }

  @Override
  void insert(Tensor keys, Tensor values) {
    Map<Object, Object> more = entriesOf(keys, values);
    writing(entries -> put(entries, more));
  }

  @Override
  void replaceAll(Tensor keys, Tensor values) {
    Map<Object, Object> all = entriesOf(keys, values);
    writing(entries -> replace(entries, all));
  }

  @Override
  void remove(Tensor keys) {
    requireKeys(keys);
    int count = ArrayLength.of(keys.elementCount());
    writing(
        entries -> {
          for (int i = 0; i < count; i++) {
            drop(entries, Elements.get(keys, i));
          }
        });
  }
}
