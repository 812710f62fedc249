package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An operation in the making. {@link #build} works out the attributes that follow from the inputs,
 * adds defaults, checks all of it against the op's signature, infers shapes, and only then adds the
 * operation to the graph: a refused one leaves nothing behind. Confined to one thread.
 */
public final class OperationBuilder {
  /** Never changed. */
  private static final BitSet NONE = new BitSet(0);

  private final Scope scope;
  private final String op;
  private final String wantedName;
  private final boolean detached;
  private final List<List<Output>> arguments = new ArrayList<>();
  private final List<Operation> controlInputs = new ArrayList<>();
  private final Map<String, AttrValue> attributes = new LinkedHashMap<>();
  private Map<Integer, Shape> shapes = Map.of();
  private final List<String> nameAttributes = new ArrayList<>();
  private final List<Tensor> taken = new ArrayList<>(0);
  private BitSet pending = NONE;
  private DeviceSpec device = DeviceSpec.empty();
  private boolean flat;
  private boolean border;

  OperationBuilder(Scope scope, String op, String wantedName, boolean detached) {
    this.scope = scope;
    this.op = op;
    this.wantedName = wantedName;
    this.detached = detached;
  }

  /**
   * An operation with exactly this name, outside of any scope. It is not in the graph until {@link
   * Graph#addAll} takes it in together with others, as an importer needs it; until then it may be
   * dropped without a trace.
   */
  public static OperationBuilder detached(Graph graph, String op, String name) {
    return new OperationBuilder(graph.scope(), op, name, true);
  }

  /** Adds a single input. */
  public OperationBuilder input(Operand value) {
    arguments.add(List.of(value.asOutput()));
    return this;
  }

  /** Adds the values of one list input. */
  public OperationBuilder inputList(List<? extends Operand> values) {
    arguments.add(Operand.asOutputs(values));
    return this;
  }

  /** Sets all inputs in the order of the node. Attributes determine where a list argument ends. */
  public OperationBuilder flatInputs(List<Output> values) {
    flat = true;
    arguments.add(List.copyOf(values));
    return this;
  }

  /**
   * Sets all inputs of a node at the border of a cond or loop: they are taken as they are, although
   * they lie outside.
   */
  public OperationBuilder borderInputs(List<Output> values) {
    border = true;
    return flatInputs(values);
  }

  /**
   * Says that input {@code i} only stands in for a value which is made later: nothing but its type
   * is known.
   */
  public OperationBuilder pendingInput(int i) {
    if (pending == NONE) {
      pending = new BitSet();
    }
    pending.set(i);
    return this;
  }

  public OperationBuilder controlInput(Operation operation) {
    controlInputs.add(operation);
    return this;
  }

  /**
   * Sets an attribute from a Java value; see {@link AttrValue#ofObject}. A tensor stays the
   * caller's: the graph takes a reference of its own when the operation is added to it.
   */
  public OperationBuilder attr(String attribute, Object value) {
    attributes.put(attribute, AttrValue.ofObject(value));
    return this;
  }

  /** Sets an attribute to a tensor that was made for it: {@link #build} closes the tensor. */
  public OperationBuilder attrTaking(String attribute, Tensor value) {
    taken.add(value);
    return attr(attribute, value);
  }

  /** Says what is known of an output's shape beyond what the op's shape rule finds. */
  public OperationBuilder outputShape(int output, Shape shape) {
    if (shapes.isEmpty()) {
      shapes = new LinkedHashMap<>();
    }
    shapes.put(output, shape);
    return this;
  }

  /**
   * Sets an attribute to the name that the operation gets, which is known only when it is built.
   */
  public OperationBuilder attrOfOwnName(String attribute) {
    nameAttributes.add(attribute);
    return this;
  }

  public OperationBuilder device(DeviceSpec spec) {
    device = spec;
    return this;
  }

  public Operation build() {
    try {
      return built();
    } finally {
      taken.forEach(Tensor::close);
    }
  }

  private Operation built() {
    if (detached) {
      return make(wantedName);
    }
    Graph graph = scope.graph();
    String name = graph.takeName(wantedName);
    try {
      Operation operation = make(name);
      graph.add(operation);
      return operation;
    } catch (RuntimeException e) {
      graph.giveBackName(name);
      throw e;
    }
  }

  /** Builds an operation of one output and gives that output. */
  public Output buildOutput() {
    return build().output(0);
  }

  private List<Output> seenHere(List<Output> given, String name) {
    List<Output> values = given;
    for (int i = 0; i < given.size(); i++) {
      Output seen = scope.graph().seen(given.get(i));
      if (seen != given.get(i)) {
        values = values == given ? new ArrayList<>(given) : values;
        values.set(i, seen);
      }
    }
    for (int i = 0; i < values.size(); i++) {
      requireSameGraph(values.get(i).operation(), "input");
    }
    if (border || scope.flowContext().isEmpty()) {
      return values;
    }
    FlowContext context = scope.flowContext().get();
    List<Output> seen = new ArrayList<>(values);
    seen.replaceAll(value -> context.capture(value, name));
    return seen;
  }

  private Operation make(String name) {
    try {
      return checked(name);
    } catch (TributaryException e) {
      throw e.at(op + " '" + name + "'");
    }
  }

  private Operation checked(String name) {
    Graph graph = scope.graph();
    if (detached) {
      NameTable.requireValidInternal(name);
    }
    OpDeclaration declaration = graph.lookup(op);
    controlInputs.forEach(control -> requireSameGraph(control, "control input"));
    scope.controlDependencies().forEach(control -> requireSameGraph(control, "control input"));
    SortedMap<String, AttrValue> bound = new TreeMap<>(attributes);
    nameAttributes.forEach(attribute -> bound.put(attribute, AttrValue.of(name)));
    scope.colocation().ifPresent(other -> bound.putIfAbsent("_class", colocationWith(other)));
    Signature signature = new Signature(declaration.def(), bound);
    List<List<Output>> seen = new ArrayList<>(arguments.size());
    List<Output> inputs = new ArrayList<>(arguments.size());
    for (int i = 0; i < arguments.size(); i++) {
      List<Output> here = seenHere(arguments.get(i), name);
      seen.add(here);
      inputs.addAll(here);
    }
    if (flat) {
      signature.bindFlat(inputs);
    } else {
      signature.bind(seen);
    }
    Attributes complete = signature.attributes();
    DeviceSpec chosen = scope.deviceFor(new DeviceFunction.Candidate(name, op, complete, device));
    InferenceContext context =
        new InferenceContext(
            complete,
            new OutputsAsInputs(graph.functions(), inputs, pending),
            signature.outputTypes());
    declaration.shape().infer(context);
    shapes.forEach(context::refine);
    Optional<KnownValue> value = declaration.value().flatMap(rule -> rule.valueOf(context));
    return new Operation(
        graph,
        name,
        declaration,
        complete,
        chosen,
        inputs,
        controls(inputs, name),
        context.finish(value),
        scope.flowContext());
  }

  private List<Operation> controls(List<Output> inputs, String name) {
    if (controlInputs.isEmpty()
        && scope.controlDependencies().isEmpty()
        && scope.flowContext().isEmpty()) {
      return List.of();
    }
    Set<Operation> all = new LinkedHashSet<>(controlInputs);
    all.addAll(scope.controlDependencies());
    if (border || scope.flowContext().isEmpty()) {
      return List.copyOf(all);
    }
    FlowContext context = scope.flowContext().get();
    Set<Operation> seen = new LinkedHashSet<>();
    all.forEach(operation -> seen.add(context.captureControl(operation, name)));
    context.pivotFor(inputs, List.copyOf(seen)).ifPresent(seen::add);
    return List.copyOf(seen);
  }

  /** The groups of the other operation, or one which that operation founds. */
  private static AttrValue colocationWith(Operation other) {
    if (other.attributes().has("_class")) {
      List<String> groups =
          other.attributes().strings("_class").stream().filter(g -> g.startsWith("loc:@")).toList();
      if (!groups.isEmpty()) {
        return AttrValue.ofStrings(groups);
      }
    }
    return AttrValue.ofStrings(List.of("loc:@" + other.name()));
  }

  private void requireSameGraph(Operation operation, String role) {
    if (operation.graph() != scope.graph()) {
      throw TributaryException.invalidArgument(
          "%s %s belongs to another graph: build both with Ops of the same graph", role, operation);
    }
  }
}
