package dev.tributary.train.variable;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableCreator;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.ops.VariableSlice;
import dev.tributary.tensor.Shape;
import dev.tributary.train.internal.LocalScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A place for the variables and operations of a part of a model: TensorFlow's {@code
 * variable_scope}. Variables are found by name, so that two parts of a graph can share them;
 * operations are not, so a scope that is opened again calls its own {@code name_1/...}.
 *
 * <pre>{@code
 * VariableScope model = VariableScope.of(tf);
 * Output train = network(model.open("net"), images);
 * Output validate = network(model.withReuse().open("net"), testImages); // the same variables
 * }</pre>
 *
 * Immutable, but scopes that come from one another share the variables they know. Confined to the
 * thread that builds the graph.
 */
public final class VariableScope {
  private final VariableStore store;
  private final Ops tf;
  private final String prefix;
  private final Reuse reuse;
  private final Optional<Initializer> initializer;
  private final Optional<Partitioner> partitioner;
  private final UnaryOperator<Variable> getter;

  private VariableScope(
      VariableStore store,
      Ops tf,
      String prefix,
      Reuse reuse,
      Optional<Initializer> initializer,
      Optional<Partitioner> partitioner,
      UnaryOperator<Variable> getter) {
    this.store = store;
    this.tf = tf;
    this.prefix = prefix;
    this.reuse = reuse;
    this.initializer = initializer;
    this.partitioner = partitioner;
    this.getter = getter;
  }

  /** The outermost scope of a model, which knows no variables yet. */
  public static VariableScope of(Ops tf) {
    return new VariableScope(
        new VariableStore(),
        tf,
        "",
        Reuse.NONE,
        Optional.empty(),
        Optional.empty(),
        UnaryOperator.identity());
  }

  /** The scope {@code name} in this one. */
  public VariableScope open(String name) {
    store.open(prefix + name);
    return new VariableScope(
        store, tf.withSubScope(name), prefix + name + "/", reuse, initializer, partitioner, getter);
  }

  /** A scope that nobody has opened yet: {@code name}, or {@code name_1} and so on. */
  public VariableScope openNew(String name) {
    return open(
        VariableCreator.of(tf.graph())
            .map(creator -> creator.scopeName(prefix + name, () -> store.unopened(prefix, name)))
            .orElseGet(() -> store.unopened(prefix, name)));
  }

  /** This scope, in which variables must exist already. */
  public VariableScope withReuse() {
    return new VariableScope(store, tf, prefix, Reuse.ALWAYS, initializer, partitioner, getter);
  }

  /** This scope, in which a variable is made when it is asked for the first time. */
  public VariableScope withAutoReuse() {
    return new VariableScope(store, tf, prefix, Reuse.AUTO, initializer, partitioner, getter);
  }

  /** This scope, with what floating-point variables get unless they say otherwise. */
  public VariableScope withInitializer(Initializer newInitializer) {
    return new VariableScope(
        store, tf, prefix, reuse, Optional.of(newInitializer), partitioner, getter);
  }

  /** This scope, with what partitioned variables get unless they say otherwise. */
  public VariableScope withPartitioner(Partitioner newPartitioner) {
    return new VariableScope(
        store, tf, prefix, reuse, initializer, Optional.of(newPartitioner), getter);
  }

  /**
   * This scope, with something else in place of variables that are asked for, such as their moving
   * averages: TensorFlow's {@code custom_getter}.
   */
  public VariableScope withCustomGetter(UnaryOperator<Variable> newGetter) {
    return new VariableScope(store, tf, prefix, reuse, initializer, partitioner, newGetter);
  }

  /** This scope, with devices, control dependencies and operation names of {@code ops}. */
  public VariableScope withOps(Ops ops) {
    return new VariableScope(store, ops, prefix, reuse, initializer, partitioner, getter);
  }

  /** Adds operations in this scope. */
  public Ops tf() {
    return tf;
  }

  /** Returns the prefix of variable names: empty, or with a slash at the end. */
  public String prefix() {
    return prefix;
  }

  /** A trainable variable of floats, initialised as the scope says. */
  public Variable getVariable(String name, Shape shape) {
    return getVariable(VariableSpec.of(name, shape));
  }

  /** A trainable variable of floats. */
  public Variable getVariable(String name, Shape shape, Initializer initialValue) {
    return getVariable(VariableSpec.of(name, shape).withInitializer(initialValue));
  }

  /** A variable of this process, which optimizers and checkpoints leave alone. */
  public Variable getLocalVariable(String name, Shape shape, Initializer initialValue) {
    return getVariable(VariableSpec.of(name, shape).withInitializer(initialValue).withLocal());
  }

  /** The variable of this name: made or found, as the scope's reuse says. */
  public Variable getVariable(VariableSpec spec) {
    String fullName = prefix + spec.name();
    Optional<Object> found = store.find(fullName, presentReuse());
    if (found.isPresent()) {
      Variable variable = typed(Variable.class, found.get(), fullName);
      VariableStore.requireSame(fullName, variable.type(), variable.shape(), spec);
      return getter.apply(variable).in(tf);
    }
    requireShape(fullName, spec);
    Variable made =
        make(spec, VariableSlice.whole(fullName, spec.shape()), Optional.empty(), fullName);
    store.add(fullName, made);
    return getter.apply(made).in(tf);
  }

  /** The partitioned variable of this name, cut as the scope's partitioner says. */
  public PartitionedVariable getPartitionedVariable(VariableSpec spec) {
    return getPartitionedVariable(
        spec,
        partitioner.orElseThrow(
            () ->
                TributaryException.failedPrecondition(
                    "variable '%s%s' is to be partitioned, but neither it nor its scope has a"
                        + " partitioner",
                    prefix, spec.name())));
  }

  /** The partitioned variable of this name; its parts are {@code name/part_0} and so on. */
  public PartitionedVariable getPartitionedVariable(VariableSpec spec, Partitioner cut) {
    String fullName = prefix + spec.name();
    Optional<Object> found = store.find(fullName, presentReuse());
    if (found.isPresent()) {
      PartitionedVariable variable = typed(PartitionedVariable.class, found.get(), fullName);
      VariableStore.requireSame(fullName, variable.type(), variable.shape(), spec);
      return variable;
    }
    requireShape(fullName, spec);
    List<VariableSlice> slices =
        Partitions.of(cut.partitions(spec.shape(), spec.type())).slices(fullName, spec.shape());
    List<Variable> parts = new ArrayList<>();
    for (VariableSlice slice : slices) {
      parts.add(make(spec, slice, Optional.of(slice), fullName + "/part_" + parts.size()));
    }
    PartitionedVariable made = new PartitionedVariable(fullName, spec.shape(), spec.type(), parts);
    store.add(fullName, made);
    return made;
  }

  /** The replicas of a strategy share the variables that the first of them has made. */
  private Reuse presentReuse() {
    boolean repeats = VariableCreator.of(tf.graph()).map(VariableCreator::repeats).orElse(false);
    return repeats && reuse == Reuse.NONE ? Reuse.AUTO : reuse;
  }

  /**
   * @param saved the slice under which checkpoints hold the variable. A part has one even if it is
   *     the only one, since its key has the name of the whole
   */
  private Variable make(
      VariableSpec spec, VariableSlice slice, Optional<VariableSlice> saved, String name) {
    Initializer chosen =
        spec.initializer()
            .or(() -> spec.type().isFloating() ? initializer : Optional.empty())
            .orElseGet(() -> Initializers.defaultFor(spec.type()));
    VariableDefinition definition =
        new VariableDefinition(
            name,
            spec.type(),
            slice.shape(),
            spec.allCollections(),
            saved,
            spec.synchronization(),
            spec.aggregation());
    Ops place = spec.local() ? LocalScope.of(tf) : tf;
    return new Ops(place.scope().withoutPrefix())
        .state
        .variable(definition, beside -> chosen.initialValue(beside, spec.type(), slice))
        .in(tf);
  }

  private static void requireShape(String fullName, VariableSpec spec) {
    if (!spec.shape().isFullyDefined()) {
      throw TributaryException.invalidArgument(
          "variable '%s' needs a fully defined shape, got %s", fullName, spec.shape());
    }
  }

  private static <T> T typed(Class<T> wanted, Object found, String fullName) {
    if (!wanted.isInstance(found)) {
      throw TributaryException.invalidArgument(
          "variable '%s' is a %s and cannot be reused as a %s",
          fullName, found.getClass().getSimpleName(), wanted.getSimpleName());
    }
    return wanted.cast(found);
  }
}
