package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.text.StringHashes;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A mutable table that exports its entries as TensorFlow's dense hash table does: as buckets, the
 * rows of two matrices, of which free ones hold a key that no entry may have. Buckets exist only
 * while they are exported.
 */
final class DenseHashTable extends MutableHashTable {
  /**
   * The form of the buckets.
   *
   * @param emptyKey the key of free buckets
   * @param reserved all keys that no entry may have
   * @param initialCount how many buckets a new table has, a power of two
   * @param maxLoadFactor which part of the buckets may be taken before there are twice as many
   */
  record Buckets(Object emptyKey, Set<Object> reserved, long initialCount, float maxLoadFactor) {
    Buckets {
      reserved = Set.copyOf(reserved);
      if (initialCount <= 0 || Long.bitCount(initialCount) != 1) {
        throw TributaryException.invalidArgument(
            "initial_num_buckets must be a power of 2, got %d", initialCount);
      }
      if (!(maxLoadFactor > 0 && maxLoadFactor < 1)) {
        throw TributaryException.invalidArgument(
            "max_load_factor must be between 0 and 1, got %s", maxLoadFactor);
      }
    }

    /** The bucket count for this many entries, when there were already some buckets. */
    long grown(long before, long entries) {
      long count = before;
      while (entries > (double) count * maxLoadFactor) {
        count *= 2;
      }
      return count;
    }
  }

  private final Buckets buckets;

  /** Changed while writing, read while reading. */
  private long bucketCount;

  DenseHashTable(
      String name,
      DataType keyType,
      DataType valueType,
      Shape valueShape,
      Buckets buckets,
      MemoryBudget budget) {
    super(name, keyType, valueType, valueShape, budget);
    this.buckets = buckets;
    this.bucketCount = buckets.initialCount();
  }

  @Override
  boolean takesDefaults() {
    return false;
  }

  @Override
  void find(KernelContext call) {
    requireUnreserved(call.input(1));
    super.find(call);
  }

  @Override
  void insert(Tensor keys, Tensor values) {
    requireUnreserved(keys);
    Map<Object, Object> more = entriesOf(keys, values);
    writing(
        entries -> {
          put(entries, more);
          bucketCount =
              buckets.grown(bucketCount, entries.size() + keys.elementCount() - more.size());
        });
  }

  @Override
  void remove(Tensor keys) {
    requireUnreserved(keys);
    super.remove(keys);
  }

  /** Takes over buckets as {@link #export} gives them. */
  @Override
  void replaceAll(Tensor keys, Tensor values) {
    long size = values().shape().elementCount();
    long count = keys.elementCount();
    boolean fits = keys.rank() == 2 && keys.shape().size(1) == 1;
    if (!fits || !values.shape().equals(Shape.of(count, size))) {
      throw TributaryException.invalidArgument(
          "table '%s': buckets must have keys of shape [n, 1] and values of shape [n, %d], got %s"
              + " and %s",
          name(), size, keys.shape(), values.shape());
    }
    Map<Object, Object> all = flatEntriesOf(keys, values);
    all.keySet().removeAll(new HashSet<>(buckets.reserved()));
    writing(
        entries -> {
          replace(entries, all);
          long given = Math.max(1, Long.highestOneBit(keys.elementCount()));
          bucketCount = buckets.grown(given, all.size());
        });
  }

  @Override
  void export(KernelContext call) {
    requireTypes(call.outputType(0), call.outputType(1));
    reading(
        entries -> {
          int count = ArrayLength.of(bucketCount);
          Shape valueShape = Shape.of(count, values().shape().elementCount());
          ArrayLength.of(valueShape.elementCount());
          Tensor keys = call.allocateOutput(0, Shape.of(count, 1));
          for (int i = 0; i < count; i++) {
            Elements.put(keys, i, buckets.emptyKey());
          }
          Tensor exported = SharedTensors.zeros(call.allocator(), valueType(), valueShape);
          call.setOutput(1, exported);
          boolean[] taken = new boolean[count];
          entries.forEach(
              (key, value) -> {
                int bucket = free(taken, key);
                taken[bucket] = true;
                Elements.put(keys, bucket, key);
                values().put(exported, bucket, value);
              });
        });
  }

  /** The bucket in which TensorFlow would look for a key first among those that are free. */
  private static int free(boolean[] taken, Object key) {
    int mask = taken.length - 1;
    int bucket = (int) hash(key) & mask;
    for (int probes = 1; taken[bucket]; probes++) {
      bucket = bucket + probes & mask;
    }
    return bucket;
  }

  private static long hash(Object key) {
    if (key instanceof ByteBuffer text) {
      return StringHashes.murmur(text.array());
    }
    return key instanceof Boolean truth ? (truth ? 1 : 0) : ((Number) key).longValue();
  }

  private void requireUnreserved(Tensor keys) {
    requireKeys(keys);
    for (int i = 0; i < keys.elementCount(); i++) {
      Object key = Elements.get(keys, i);
      if (buckets.reserved().contains(key)) {
        throw TributaryException.invalidArgument(
            "table '%s': Using the empty_key or the deleted_key as a table key is not allowed,"
                + " got key %s at %d",
            name(), Elements.text(key), i);
      }
    }
  }
}
