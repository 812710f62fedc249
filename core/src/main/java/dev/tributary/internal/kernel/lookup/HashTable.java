package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table that is filled once; filling it again with the same entries is allowed. */
final class HashTable extends LookupTable {
  /** One entry on its way into a table. */
  record Entry(Object key, Object value) {}

  private volatile boolean initialized;

  HashTable(String name, DataType keyType, DataType valueType, MemoryBudget budget) {
    super(name, keyType, valueType, Shape.scalar(), budget);
  }

  /** Fills the table; no key may come twice with different values. */
  void initialize(List<Entry> given) {
    Map<Object, Object> all = new LinkedHashMap<>();
    for (Entry entry : given) {
      Object earlier = all.putIfAbsent(entry.key(), entry.value());
      if (earlier != null && !earlier.equals(entry.value())) {
        throw TributaryException.failedPrecondition(
            "HashTable has different value for same key. Key %s has %s and trying to add value %s",
            Elements.text(entry.key()), Elements.text(earlier), Elements.text(entry.value()));
      }
    }
    writing(
        entries -> {
          if (initialized && !entries.equals(all)) {
            throw TributaryException.failedPrecondition(
                "Table '%s' was already initialized with different data.", name());
          }
          replace(entries, all);
          initialized = true;
        });
  }

  @Override
  void find(KernelContext call) {
    if (!initialized) {
      throw TributaryException.failedPrecondition("Table '%s' not initialized.", name());
    }
    super.find(call);
  }

  @Override
  void insert(Tensor keys, Tensor values) {
    throw fixed("Insert");
  }

  @Override
  void replaceAll(Tensor keys, Tensor values) {
    throw fixed("Import");
  }

  @Override
  void remove(Tensor keys) {
    throw fixed("Remove");
  }

  private TributaryException fixed(String operation) {
    return TributaryException.unimplemented(
        "%s is not supported by HashTable '%s', which is filled by its initializer; use a"
            + " MutableHashTable",
        operation, name());
  }
}
