package dev.tributary.ops;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
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

  /** An empty table of vectors that steps may change. */
  public LookupTable mutableHashTableOfTensors(
      DataType keyType, DataType valueType, Shape valueShape) {
    return mutableHashTableOfTensors(keyType, valueType, valueShape, "");
  }

  /** An empty table of vectors that steps may change, which sessions and tasks share by name. */
  public LookupTable mutableHashTableOfTensors(
      DataType keyType, DataType valueType, Shape valueShape, String sharedName) {
    return table(
        maker("MutableHashTableOfTensorsV2", keyType, valueType, sharedName)
            .attr("value_shape", valueShape),
        keyType,
        valueType);
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
    return table(maker(op, keyType, valueType, sharedName), keyType, valueType);
  }

  private LookupTable table(OperationBuilder maker, DataType keyType, DataType valueType) {
    return new LookupTable(scope.withoutName(), maker.buildOutput(), keyType, valueType);
  }

  private OperationBuilder maker(
      String op, DataType keyType, DataType valueType, String sharedName) {
    return scope
        .withoutControlDependencies()
        .operation(op)
        .attr("key_dtype", keyType)
        .attr("value_dtype", valueType)
        .attr("shared_name", sharedName);
  }
}
