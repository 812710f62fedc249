package dev.tributary.ops;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A resource variable of a graph: its handle, how it gets its initial value, and the ways to read
 * and change it. The operations are called as TensorFlow does: {@code w}, {@code w/Assign}, {@code
 * w/Read/ReadVariableOp}. Immutable.
 *
 * <pre>{@code
 * Variable w = tf.variable("w", tf.constant(0f));
 * Operation step = w.assignAdd(tf.constant(1f));
 * Output after = w.in(tf.withControlDependencies(step)).read();
 * }</pre>
 */
public final class Variable implements Operand {
  /** The graph's collection of all variables. */
  public static final String VARIABLES = "variables";

  /** The graph's collection of the variables that optimizers change. */
  public static final String TRAINABLE_VARIABLES = "trainable_variables";

  /** The graph's collection of the variables that each process has for itself. */
  public static final String LOCAL_VARIABLES = "local_variables";

  private final StateOps state;
  private final Output handle;
  private final Operation initializer;
  private final Output initialValue;
  private final Output value;
  private final Optional<VariableSlice> slice;
  private final Optional<VariableCopies> copies;

  private Variable(
      StateOps state,
      Output handle,
      Operation initializer,
      Output initialValue,
      Output value,
      Optional<VariableSlice> slice,
      Optional<VariableCopies> copies) {
    this.state = state;
    this.handle = handle;
    this.initializer = initializer;
    this.initialValue = initialValue;
    this.value = value;
    this.slice = slice;
    this.copies = copies;
  }

  static Variable create(Scope scope, String name, Output initialValue, boolean trainable) {
    return create(
        scope,
        VariableDefinition.of(
            name,
            initialValue.type(),
            initialValue.shape(),
            trainable ? List.of(VARIABLES, TRAINABLE_VARIABLES) : List.of(VARIABLES)),
        beside -> initialValue);
  }

  static Variable create(
      Scope scope, VariableDefinition definition, Function<Ops, Output> initialValue) {
    Optional<VariableCreator> creator = VariableCreator.of(scope.graph());
    if (creator.isPresent()) {
      return creator.get().create(new Ops(scope), definition, initialValue);
    }
    Variable variable = plain(scope, definition, initialValue);
    variable.join(definition.collections());
    return variable;
  }

  /**
   * Returns a new variable as defined, whatever creator the graph has, which joins no collection.
   */
  public static Variable plain(
      Ops tf, VariableDefinition definition, Function<Ops, Output> initialValue) {
    return plain(tf.scope(), definition, initialValue);
  }

  /**
   * Returns a variable that stands for several copies. It has the name of the first one, and joins
   * collections in place of the copies.
   */
  public static Variable distributed(VariableCopies copies, List<String> collections) {
    Variable first = copies.all().get(0);
    Variable variable =
        new Variable(
            first.state,
            first.handle,
            first.initializer,
            first.initialValue,
            first.value,
            first.slice,
            Optional.of(copies));
    variable.join(collections);
    return variable;
  }

  private void join(List<String> collections) {
    collections.forEach(name -> handle.graph().addToCollection(name, this));
  }

  private static Variable plain(
      Scope scope, VariableDefinition definition, Function<Ops, Output> initialValue) {
    // The variable must not depend on the branch or loop in which a client happens to make it.
    Scope outside = scope.withoutControlDependencies();
    OperationBuilder maker =
        outside
            .withName(definition.name())
            .operation("VarHandleOp")
            .attr("dtype", definition.type())
            .attr("shape", definition.shape())
            .attrOfOwnName("shared_name");
    if (definition.collections().contains(LOCAL_VARIABLES)) {
      // Collections do not reach masters, which would let processes share it.
      maker.attr(Operation.LOCAL_STATE, true);
    }
    Operation handle = maker.build();
    Scope beside = scope.graph().scope().withDevice(handle.device().toString());
    Scope within = beside.colocatedWith(handle).withSubScope(handle.name() + "/Initializer");
    Output first = initialValue.apply(new Ops(within));
    Operation initializer =
        new StateOps(beside.withName(handle.name() + "/Assign"))
            .assignVariableOp(handle.output(0), first);
    Output value =
        new StateOps(beside.withName(handle.name() + "/Read/ReadVariableOp"))
            .readVariableOp(handle.output(0), definition.type());
    return new Variable(
        new StateOps(scope),
        handle.output(0),
        initializer,
        first,
        value,
        definition.slice(),
        Optional.empty());
  }

  /**
   * A variable whose operations are in the graph already, because they were imported. The caller
   * adds it to collections.
   *
   * @param initializer assigns the initial value to the handle
   * @param value a read of the handle
   */
  public static Variable existing(
      Output handle, Operation initializer, Output value, Optional<VariableSlice> slice) {
    Output initialValue = initializer.input(1);
    return new Variable(
        new StateOps(handle.graph().scope()),
        handle,
        initializer,
        initialValue,
        value,
        slice,
        Optional.empty());
  }

  /** All variables of a graph, in the order in which they were made. */
  public static List<Variable> all(Graph graph) {
    return inCollection(graph, VARIABLES);
  }

  /** The variables of a graph that optimizers change. */
  public static List<Variable> trainable(Graph graph) {
    return inCollection(graph, TRAINABLE_VARIABLES);
  }

  /** The variables in one of a graph's collections. */
  public static List<Variable> inCollection(Graph graph, String collection) {
    return graph.collection(collection).stream()
        .filter(Variable.class::isInstance)
        .map(Variable.class::cast)
        .toList();
  }

  public String name() {
    return handle.operation().name();
  }

  public DataType type() {
    return value.type();
  }

  public Shape shape() {
    return value.shape();
  }

  /**
   * The resource, which gather, scatter and training ops take and which gradients are asked for. Of
   * a distributed variable it is that of the copy which is used at present.
   */
  public Output handle() {
    return copies.map(all -> all.present().handle).orElse(handle);
  }

  /** Sets the initial value. */
  public Operation initializer() {
    return initializer;
  }

  public Output initialValue() {
    return initialValue;
  }

  /** The copies of a distributed variable, if it is one. */
  public Optional<VariableCopies> copies() {
    return copies;
  }

  /** The part of a partitioned variable that this is, if it is one. */
  public Optional<VariableSlice> slice() {
    return slice;
  }

  /** The value, read by one operation that all users share and that waits for nothing. */
  public Output value() {
    return copies.map(VariableCopies::value).orElse(value);
  }

  /** Returns the shared read of the value: see {@link #value}. */
  @Override
  public Output asOutput() {
    return value();
  }

  /** This variable, for use in another scope: what it adds to the graph goes there. */
  public Variable in(Ops tf) {
    return new Variable(tf.state, handle, initializer, initialValue, value, slice, copies);
  }

  /** The value as it is when the scope's control dependencies have run, read anew. */
  public Output read() {
    return copies
        .map(all -> all.read(new Ops(state.scope)))
        .orElseGet(() -> state.readVariableOp(handle, type()));
  }

  public Operation assign(Operand newValue) {
    return change(VariableCopies.Change.ASSIGN, newValue);
  }

  public Operation assignAdd(Operand term) {
    return change(VariableCopies.Change.ADD, term);
  }

  public Operation assignSub(Operand term) {
    return change(VariableCopies.Change.SUBTRACT, term);
  }

  private Operation change(VariableCopies.Change change, Operand operand) {
    if (copies.isPresent()) {
      return copies.get().change(new Ops(state.scope), change, operand);
    }
    VariableCreator.of(handle.graph()).ifPresent(creator -> creator.requireChangeable(this));
    return switch (change) {
      case ASSIGN -> state.assignVariableOp(handle, operand);
      case ADD -> state.assignAddVariableOp(handle, operand);
      case SUBTRACT -> state.assignSubVariableOp(handle, operand);
    };
  }

  @Override
  public String toString() {
    return "Variable '" + name() + "'<" + type().lowerName() + " " + shape() + ">";
  }
}
