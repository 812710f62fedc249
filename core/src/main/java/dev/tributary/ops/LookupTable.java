package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import java.util.List;

/**
 * A lookup table of a graph. One that was made by {@link LookupOps#hashTable} is filled once by its
 * initializer; one that was made by {@link LookupOps#mutableHashTable} or {@link
 * LookupOps#mutableHashTableOfTensors} may be changed by any step. Immutable.
 */
public final class LookupTable {
  private final Scope scope;
  private final Output handle;
  private final DataType keyType;
  private final DataType valueType;

  LookupTable(Scope scope, Output handle, DataType keyType, DataType valueType) {
    this.scope = scope;
    this.handle = handle;
    this.keyType = keyType;
    this.valueType = valueType;
  }

  /** The same table, used in another scope. */
  public LookupTable in(Ops tf) {
    return new LookupTable(tf.scope(), handle, keyType, valueType);
  }

  public Output handle() {
    return handle;
  }

  /**
   * Fills a hash table with the elements of two vectors. {@link LookupOps#tablesInitializer} runs
   * it too.
   */
  public Operation initialize(Operand keys, Operand values) {
    return initializer(
        scope.operation("InitializeTableV2").input(handle).input(keys).input(values));
  }

  /**
   * Fills a hash table from the lines of a text file. A SavedModel of the graph holds the file if
   * its name is a constant.
   */
  public Operation initializeFromTextFile(Operand filename, TextFileColumns columns) {
    if (filename.asOutput().operation().type().equals("Const")) {
      scope.graph().addToCollection(LookupOps.ASSET_FILEPATHS, filename.asOutput());
    }
    return initializer(
        scope
            .operation("InitializeTableFromTextFileV2")
            .input(handle)
            .input(filename)
            .attr("key_index", columns.key())
            .attr("value_index", columns.value())
            .attr("vocab_size", columns.vocabularySize())
            .attr("delimiter", columns.delimiter()));
  }

  /**
   * The values of the keys; {@code defaultValue}, of the shape of one value, for those that it does
   * not have. Tables that may be changed take a default for each key, too.
   */
  public Output find(Operand keys, Operand defaultValue) {
    return scope
        .operation("LookupTableFindV2")
        .input(handle)
        .input(keys)
        .input(defaultValue)
        .buildOutput();
  }

  /** Sets the values of some keys of a mutable table. */
  public Operation insert(Operand keys, Operand values) {
    return scope.operation("LookupTableInsertV2").input(handle).input(keys).input(values).build();
  }

  /** Drops the entries of some keys of a mutable table. */
  public Operation remove(Operand keys) {
    return scope.operation("LookupTableRemoveV2").input(handle).input(keys).build();
  }

  /** Takes these entries in place of all that a mutable table has. */
  public Operation importAll(Operand keys, Operand values) {
    return scope.operation("LookupTableImportV2").input(handle).input(keys).input(values).build();
  }

  /** All keys and, second, their values, in no particular order. */
  public List<Output> export() {
    return scope
        .operation("LookupTableExportV2")
        .input(handle)
        .attr("Tkeys", keyType)
        .attr("Tvalues", valueType)
        .build()
        .outputs();
  }

  /** Returns how many entries it has, as an int64. */
  public Output size() {
    return scope.operation("LookupTableSizeV2").input(handle).buildOutput();
  }

  private Operation initializer(OperationBuilder builder) {
    Operation initializer = builder.build();
    scope.graph().addToCollection(LookupOps.TABLE_INITIALIZERS, initializer);
    return initializer;
  }
}
