package dev.tributary.internal.kernel.lookup;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * A map from keys, each a single element, to values of one shape. Entries keep the order in which
 * they came. Guarded by its read-write lock.
 */
abstract class LookupTable implements Resource {
  private final String name;
  private final DataType keyType;
  private final DataType valueType;
  private final TableValues values;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  @GuardedBy("lock")
  private final Map<Object, Object> entries = new LinkedHashMap<>();

  private final MemoryBudget budget;

  /** Changed under the write lock, read without. */
  private final AtomicLong bytes = new AtomicLong();

  /**
   * @param budget counts the entries, which are on the Java heap
   */
  LookupTable(
      String name, DataType keyType, DataType valueType, Shape valueShape, MemoryBudget budget) {
    this.name = name;
    this.budget = budget;
    this.keyType = keyType;
    this.valueType = valueType;
    this.values = new TableValues(valueShape);
  }

  final String name() {
    return name;
  }

  final TableValues values() {
    return values;
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
    Shape all = keys.shape().concatenate(values.shape());
    boolean oneForAll = other.shape().equals(values.shape());
    if (!oneForAll && !(takesDefaults() && other.shape().equals(all))) {
      throw TributaryException.invalidArgument(
          "table '%s': the default value must have shape %s, got %s",
          name, values.shape(), other.shape());
    }
    ArrayLength.of(all.elementCount());
    Tensor found = call.allocateOutput(0, all);
    reading(
        entries -> {
          for (int i = 0; i < keys.elementCount(); i++) {
            Object value = entries.get(Elements.get(keys, i));
            values.put(found, i, value != null ? value : values.get(other, oneForAll ? 0 : i));
          }
        });
  }

  /** Returns whether a default may be given for each key. */
  boolean takesDefaults() {
    return false;
  }

  /** Changes the values of some keys. */
  abstract void insert(Tensor keys, Tensor values);

  /** Takes these entries in place of all others. */
  abstract void replaceAll(Tensor keys, Tensor values);

  /** Drops the entries of these keys, as far as there are any. */
  abstract void remove(Tensor keys);

  final long size() {
    lock.readLock().lock();
    try {
      return entries.size();
    } finally {
      lock.readLock().unlock();
    }
  }

  /** Sets output 0 to all keys and output 1 to their values. */
  void export(KernelContext call) {
    requireTypes(call.outputType(0), call.outputType(1));
    reading(
        entries -> {
          Shape shape = Shape.of(entries.size());
          Tensor keys = call.allocateOutput(0, shape);
          Tensor exported = call.allocateOutput(1, shape.concatenate(values.shape()));
          int i = 0;
          for (Map.Entry<Object, Object> entry : entries.entrySet()) {
            Elements.put(keys, i, entry.getKey());
            values.put(exported, i, entry.getValue());
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

  /** Fails unless these can be keys of the table. */
  final void requireKeys(Tensor keys) {
    if (keys.type() != keyType) {
      throw TributaryException.invalidArgument(
          "table '%s' has keys of type %s, the op gives %s",
          name, keyType.lowerName(), keys.type().lowerName());
    }
  }

  /** Fails unless an op that makes tables like this may share it. */
  final void requireFits(DataType keys, DataType elements, Shape valueShape) {
    requireTypes(keys, elements);
    if (!valueShape.equals(values.shape())) {
      throw TributaryException.invalidArgument(
          "table '%s' has values of shape %s, the op makes one with values of shape %s",
          name, values.shape(), valueShape);
    }
  }

  @Override
  public String kind() {
    return "tables";
  }

  @Override
  public long heldBytes() {
    return bytes.get();
  }

  @Override
  public void close() {
    writing(this::clear);
  }

  /** Takes a look at the entries, for {@link #put} and {@link #replace} to change them. */
  final void writing(Consumer<Map<Object, Object>> change) {
    lock.writeLock().lock();
    try {
      change.accept(entries);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** For {@link #writing}: adds entries, in place of those with the same keys. */
  final void put(Map<Object, Object> entries, Map<Object, Object> more) {
    long added = reserve(more);
    long replaced = 0;
    for (Map.Entry<Object, Object> entry : more.entrySet()) {
      Object old = entries.put(entry.getKey(), entry.getValue());
      replaced += old == null ? 0 : EntryBytes.of(entry.getKey(), old);
    }
    budget.release(replaced);
    bytes.addAndGet(added - replaced);
  }

  /** For {@link #writing}: takes these entries in place of all others. */
  final void replace(Map<Object, Object> entries, Map<Object, Object> all) {
    long added = reserve(all);
    clear(entries);
    entries.putAll(all);
    bytes.set(added);
  }

  /** For {@link #writing}: drops the entry of a key, if there is one. */
  final void drop(Map<Object, Object> entries, Object key) {
    Object old = entries.remove(key);
    if (old != null) {
      long dropped = EntryBytes.of(key, old);
      budget.release(dropped);
      bytes.addAndGet(-dropped);
    }
  }

  private long reserve(Map<Object, Object> more) {
    long added = EntryBytes.of(more);
    budget.reserve(added, "a change of table '" + name + "'");
    return added;
  }

  private void clear(Map<Object, Object> entries) {
    entries.clear();
    budget.release(bytes.getAndSet(0));
  }

  /** The entries that keys and their values make, a later one in place of an earlier. */
  final Map<Object, Object> entriesOf(Tensor keys, Tensor given) {
    requireTypes(keys.type(), given.type());
    Shape wanted = keys.shape().concatenate(values.shape());
    if (!given.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "table '%s': values of keys of shape %s must have shape %s, got %s",
          name, keys.shape(), wanted, given.shape());
    }
    return flatEntriesOf(keys, given);
  }

  /** The same for values whose shape was checked. */
  final Map<Object, Object> flatEntriesOf(Tensor keys, Tensor given) {
    requireTypes(keys.type(), given.type());
    ArrayLength.of(given.elementCount());
    Map<Object, Object> result = new LinkedHashMap<>();
    int count = ArrayLength.of(keys.elementCount());
    for (int i = 0; i < count; i++) {
      result.put(Elements.get(keys, i), values.get(given, i));
    }
    return result;
  }

  /** Takes a look at the entries. */
  final void reading(Consumer<Map<Object, Object>> action) {
    lock.readLock().lock();
    try {
      action.accept(entries);
    } finally {
      lock.readLock().unlock();
    }
  }
}
