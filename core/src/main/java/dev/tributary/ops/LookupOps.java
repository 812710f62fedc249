package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.List;

/** Makes lookup tables. */
public final class LookupOps {
  /** The graph's collection of the operations that fill tables. */
  public static final String TABLE_INITIALIZERS = "table_initializer";

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

  /** One operation that fills all tables whose initializers were made so far. */
  public Operation tablesInitializer() {
    OperationBuilder init = scope.withName("init_all_tables").operation("NoOp");
    scope
        .graph()
        .collection(TABLE_INITIALIZERS)
        .forEach(initializer -> init.controlInput((Operation) initializer));
    return init.build();
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
