package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;
import static dev.tributary.ops.ResourceDeclaration.versioned;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.lookup.LookupKernels;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Lookup tables. This family makes them, with reference handles and with resource handles; the
 * client methods of the ops that use one are in {@link LookupTable}.
 */
public final class LookupOps {
  /** The graph's collection of the operations that fill tables. */
  public static final String TABLE_INITIALIZERS = "table_initializer";

  /** The graph's collection of constants with the paths of files that tables are filled from. */
  public static final String ASSET_FILEPATHS = "asset_filepaths";

  private static final String HANDLE = "table_handle";

  private final Scope scope;

  LookupOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    for (HandleForm form : HandleForm.values()) {
      all.add(
          maker("HashTable", form, c -> Shape.scalar())
              .kernel(node -> LookupKernels.hashTable(node, form))
              .notDifferentiable());
      all.add(
          maker("MutableHashTable", form, c -> Shape.scalar())
              .flag(OpFlag.RESOURCE_MAKER)
              .kernel(node -> LookupKernels.mutableHashTable(node, form))
              .notDifferentiable());
      all.add(
          maker("MutableHashTableOfTensors", form, c -> c.attributes().shape("value_shape"))
              .attr("value_shape: shape = { }")
              .flag(OpFlag.RESOURCE_MAKER)
              .kernel(node -> LookupKernels.mutableHashTableOfTensors(node, form))
              .notDifferentiable());
      all.add(denseMaker(form));
      all.add(
          user("LookupTableFind", form)
              .input("keys: Tin")
              .input("default_value: Tout")
              .output("values: Tout")
              .attr("Tin: type")
              .attr("Tout: type")
              .shape(c -> c.output(0, found(c)))
              .kernel(node -> LookupKernels.find(node, form))
              .notDifferentiable());
      all.add(change("LookupTableInsert", form, LookupKernels::insert));
      all.add(change("LookupTableImport", form, LookupKernels::replaceAll));
      all.add(
          user("LookupTableExport", form)
              .output("keys: Tkeys")
              .output("values: Tvalues")
              .attr("Tkeys: type")
              .attr("Tvalues: type")
              .shape(LookupOps::exported)
              .kernel(node -> LookupKernels.export(node, form))
              .notDifferentiable());
      all.add(
          user("LookupTableSize", form)
              .output("size: int64")
              .shape(ShapeRules::scalar)
              .kernel(node -> LookupKernels.size(node, form))
              .notDifferentiable());
      all.add(
          user("InitializeTable", form)
              .input("keys: Tkey")
              .input("values: Tval")
              .attr("Tkey: type")
              .attr("Tval: type")
              .shape(c -> c.merged(1, 2))
              .kernel(node -> LookupKernels.initialize(node, form))
              .notDifferentiable());
      all.add(
          user("InitializeTableFromTextFile", form)
              .input("filename: string")
              .attr("key_index: int >= -2")
              .attr("value_index: int >= -2")
              .attr("vocab_size: int >= -1 = -1")
              .attr("delimiter: string = '\t'")
              .attr("offset: int = 0")
              .shape(c -> c.withRank(1, 0))
              .kernel(node -> LookupKernels.initializeFromTextFile(node, form))
              .notDifferentiable());
    }
    all.add(
        user("LookupTableRemove", HandleForm.RESOURCE)
            .input("keys: Tin")
            .attr("Tin: type")
            .shape(c -> c.withRankAtLeast(1, 1))
            .kernel(node -> LookupKernels.remove(node, HandleForm.RESOURCE))
            .notDifferentiable());
    all.addAll(anonymous());
    return all;
  }

  private static List<OpDeclaration> anonymous() {
    return List.of(
        anonymous(op("AnonymousHashTable"), c -> Shape.scalar())
            .kernel(LookupKernels::anonymousHashTable)
            .notDifferentiable(),
        anonymous(op("AnonymousMutableHashTable"), c -> Shape.scalar())
            .kernel(LookupKernels::anonymousMutableHashTable)
            .notDifferentiable(),
        anonymous(op("AnonymousMutableHashTableOfTensors"), LookupOps::declaredShape)
            .attr("value_shape: shape = { }")
            .kernel(LookupKernels::anonymousMutableHashTableOfTensors)
            .notDifferentiable(),
        anonymous(
                op("AnonymousMutableDenseHashTable")
                    .input("empty_key: key_dtype")
                    .input("deleted_key: key_dtype"),
                LookupOps::declaredShape)
            .attr("value_shape: shape = { }")
            .attr("initial_num_buckets: int = 131072")
            .attr("max_load_factor: float = 0.8")
            .kernel(LookupKernels::anonymousDenseHashTable)
            .notDifferentiable());
  }

  private static Declaration anonymous(
      Declaration declaration, Function<InferenceContext, Shape> valueShape) {
    return declaration
        .output("table_handle: resource")
        .attr("key_dtype: type")
        .attr("value_dtype: type")
        .stateful()
        .shape(
            c -> {
              c.output(0, Shape.scalar());
              c.outputHandle(0, valueShape.apply(c));
            });
  }

  private static Shape declaredShape(InferenceContext context) {
    return context.attributes().shape("value_shape");
  }

  private static OpDeclaration denseMaker(HandleForm form) {
    Declaration declaration =
        maker("MutableDenseHashTable", form, LookupOps::declaredShape)
            .input("empty_key: key_dtype");
    if (form == HandleForm.RESOURCE) {
      declaration.input("deleted_key: key_dtype");
    }
    return declaration
        .attr("value_shape: shape = { }")
        .attr("initial_num_buckets: int = 131072")
        .attr("max_load_factor: float = 0.8")
        .flag(OpFlag.RESOURCE_MAKER)
        .kernel(node -> LookupKernels.denseHashTable(node, form))
        .notDifferentiable();
  }

  private static Declaration maker(
      String name, HandleForm form, Function<InferenceContext, Shape> valueShape) {
    Declaration declaration = ResourceDeclaration.maker(versioned(name, form), form, HANDLE);
    if (form == HandleForm.RESOURCE) {
      declaration.shape(
          c -> {
            c.output(0, Shape.scalar());
            c.outputHandle(0, valueShape.apply(c));
          });
    }
    return declaration
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .attr("use_node_name_sharing: bool = false")
        .attr("key_dtype: type")
        .attr("value_dtype: type");
  }

  /**
   * Keys, and values without dimensions, are vectors of most tables, but matrices of dense ones.
   */
  private static void exported(InferenceContext context) {
    context.output(0, Shape.unknown());
    context.output(
        1,
        valueShape(context)
            .filter(shape -> shape.hasRank() && shape.rank() > 0)
            .map(Shape.ofRank(1)::concatenate)
            .orElse(Shape.unknown()));
  }

  /** The shape of a table's values, which only a resource handle has. */
  private static Optional<Shape> valueShape(InferenceContext context) {
    return context.inputHandles(0).stream().findFirst();
  }

  /** A single default tells that values are single elements; a vector may be one for each key. */
  private static Shape found(InferenceContext context) {
    Optional<Shape> single =
        Optional.of(context.input(2)).filter(shape -> shape.hasRank() && shape.isScalar());
    return valueShape(context)
        .or(() -> single)
        .map(context.input(1)::concatenate)
        .orElse(Shape.unknown());
  }

  private static OpDeclaration change(
      String name, HandleForm form, BiFunction<KernelNode, HandleForm, Kernel> kernel) {
    return user(name, form)
        .input("keys: Tin")
        .input("values: Tout")
        .attr("Tin: type")
        .attr("Tout: type")
        .shape(ShapeRules::unknown)
        .kernel(node -> kernel.apply(node, form))
        .notDifferentiable();
  }

  private static Declaration user(String name, HandleForm form) {
    return ResourceDeclaration.user(versioned(name, form), form, HANDLE);
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
        builder("MutableHashTableOfTensorsV2", keyType, valueType, sharedName)
            .attr("value_shape", valueShape),
        keyType,
        valueType);
  }

  /**
   * An empty table that steps may change, and whose entries are saved as TensorFlow's dense hash
   * tables are. The two keys, which no entry may have, mark free buckets in what is saved.
   */
  public LookupTable mutableDenseHashTable(
      Operand emptyKey, Operand deletedKey, DataType valueType, Shape valueShape) {
    DataType keyType = emptyKey.asOutput().type();
    return table(
        builder("MutableDenseHashTableV2", keyType, valueType, "")
            .input(emptyKey)
            .input(deletedKey)
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
    return table(builder(op, keyType, valueType, sharedName), keyType, valueType);
  }

  private LookupTable table(OperationBuilder builder, DataType keyType, DataType valueType) {
    return new LookupTable(scope.withoutName(), builder.buildOutput(), keyType, valueType);
  }

  private OperationBuilder builder(
      String op, DataType keyType, DataType valueType, String sharedName) {
    return scope
        .withoutControlDependencies()
        .operation(op)
        .attr("key_dtype", keyType)
        .attr("value_dtype", valueType)
        .attr("shared_name", sharedName);
  }
}
