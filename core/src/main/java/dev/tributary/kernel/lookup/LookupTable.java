package dev.tributary.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.kernel.ArrayLength;
import dev.tributary.kernel.KernelContext;
import dev.tributary.kernel.Resource;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * A map from keys to values, each a single element. Entries keep the order in which they came.
 * Guarded by its read-write lock.
 */
abstract class LookupTable implements Resource {
  private final String name;
  private final DataType keyType;
  private final DataType valueType;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Object, Object> entries = new LinkedHashMap<>();

  LookupTable(String name, DataType keyType, DataType valueType) {
    this.name = name;
    this.keyType = keyType;
    this.valueType = valueType;
  }

  final String name() {
    return name;
  }

  final DataType keyType() {
    return keyType;
  }

  final DataType valueType() {
    return valueType;
  }

  /** Sets output 0 to the values of input 1, the keys; input 2 says what the others get. */
  void find(KernelContext call) {
    Tensor keys = call.input(1);
    Tensor other = call.input(2);
    requireTypes(keys.type(), other.type());
    if (other.rank() != 0 && !takesDefaults(keys.shape(), other.shape())) {
      throw TributaryException.invalidArgument(
          "the default value must be a scalar, got shape %s", other.shape());
    }
    Tensor values = call.allocateOutput(0, keys.shape());
    reading(
        () -> {
          for (int i = 0; i < keys.elementCount(); i++) {
            Object value = entries.get(Elements.get(keys, i));
            Elements.put(
                values, i, value != null ? value : Elements.get(other, other.rank() == 0 ? 0 : i));
          }
        });
  }

  /** Whether defaults of this shape may be given, one for each key. */
  boolean takesDefaults(Shape keys, Shape defaults) {
    return false;
  }

  /** Changes the values of some keys. */
  abstract void insert(Tensor keys, Tensor values);

  /** Takes these entries in place of all others. */
  abstract void replaceAll(Tensor keys, Tensor values);

  final long size() {
    lock.readLock().lock();
    try {
      return entries.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Sets output 0 to all keys and output 1 to their values. */
  final void export(KernelContext call) {
    requireTypes(call.outputType(0), call.outputType(1));
    reading(
        () -> {
          Shape shape = Shape.of(entries.size());
          Tensor keys = call.allocateOutput(0, shape);
          Tensor values = call.allocateOutput(1, shape);
          int i = 0;
          for (Map.Entry<Object, Object> entry : entries.entrySet()) {
            Elements.put(keys, i, entry.getKey());
            Elements.put(values, i, entry.getValue());
            i++;
          }
        });
  }

  /** Fails unless an op with keys and values of these types may use the table. */
  final void requireTypes(DataType keys, DataType values) {
    if (keys != keyType || values != valueType) {
      throw TributaryException.invalidArgument(
          "table '%s' maps %s to %s, the op maps %s to %s",
          name, keyType.lowerName(), valueType.lowerName(), keys.lowerName(), values.lowerName());
    }
  }

  @Override
  public void close() {
    writing(Map::clear);
  }

  final void writing(Consumer<Map<Object, Object>> change) {
    lock.writeLock().lock();
    try {
      change.accept(entries);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The entries that two tensors of one shape make, a later one in place of an earlier. */
  final Map<Object, Object> entriesOf(Tensor keys, Tensor values) {
    requireTypes(keys.type(), values.type());
    if (!keys.shape().equals(values.shape())) {
      throw TributaryException.invalidArgument(
          "keys and values must have the same shape, got %s and %s", keys.shape(), values.shape());
    }
    Map<Object, Object> result = new LinkedHashMap<>();
    int count = ArrayLength.of(keys.elementCount());
    for (int i = 0; i < count; i++) {
      result.put(Elements.get(keys, i), Elements.get(values, i));
    }
    return result;
  }

  private void reading(Runnable action) {
    lock.readLock().lock();
    try {
      action.run();
    } finally {
      lock.readLock().unlock();
    }
  }
}
