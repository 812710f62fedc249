package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.List;

/** Makes lookup tables. */
public final class LookupOps {
  private final Scope scope;

  LookupOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return LookupDeclarations.declarations();
  }

  /** A table that is filled once. */
  public LookupTable hashTable(DataType keyType, DataType valueType) {
    return table("HashTableV2", keyType, valueType, "");
  }

  /** A table that is filled once, which sessions and tasks share under a name. */
  public LookupTable hashTable(DataType keyType, DataType valueType, String sharedName) {
    return table("HashTableV2", keyType, valueType, sharedName);
  }

  /** An empty table that steps may change. */
  public LookupTable mutableHashTable(DataType keyType, DataType valueType) {
    return table("MutableHashTableV2", keyType, valueType, "");
  }

  /** An empty table that steps may change, which sessions and tasks share under a name. */
  public LookupTable mutableHashTable(DataType keyType, DataType valueType, String sharedName) {
    return table("MutableHashTableV2", keyType, valueType, sharedName);
  }

  private LookupTable table(String op, DataType keyType, DataType valueType, String sharedName) {
    return new LookupTable(
        scope.withoutName(),
        scope
            .withoutControlDependencies()
            .operation(op)
            .attr("key_dtype", keyType)
            .attr("value_dtype", valueType)
            .attr("shared_name", sharedName)
            .buildOutput(),
        keyType,
        valueType);
  }
}
