package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An operation in the making. {@link #build} works out the attributes that follow from the inputs, adds defaults, checks all of
 * it against the op's signature, infers shapes, and only then adds the operation to the graph: a refused one leaves nothing
 * behind. Confined to one thread.
 */
public final class OperationBuilder {
  /** A checked operation that awaits its place in the graph. */
  record Finished(
      String name,
      OpDeclaration declaration,
      Attributes attributes,
      DeviceSpec device,
      List<Output> inputs,
      List<Operation> controlInputs,
      Inference inference,
      Optional<FlowContext> flowContext) {}

  private final Scope scope;
  private final String op;
  private final String name;
  private final List<Output> inputs = new ArrayList<>();
  private final List<List<Output>> arguments = new ArrayList<>();
  private final List<Operation> controlInputs = new ArrayList<>();
  private final Map<String, AttrValue> attributes = new LinkedHashMap<>();
  private final Map<Integer, Shape> shapes = new LinkedHashMap<>();
  private DeviceSpec device = DeviceSpec.empty();
  private boolean flat;

  OperationBuilder(Scope scope, String op, String name) {
    this.scope = scope;
    this.op = op;
    this.name = name;
  }

  /** An operation with exactly this name, outside of any scope, as an importer makes it. */
  public static OperationBuilder named(Graph graph, String op, String name) {
    return new OperationBuilder(graph.scope(), op, name);
  }

  /** Adds a single input. */
  public OperationBuilder input(Output value) {
    return inputList(List.of(value));
  }

  /** Adds the values of one list input. */
  public OperationBuilder inputList(List<Output> values) {
    List<Output> seen = new ArrayList<>(values);
    scope.flowContext().ifPresent(context -> seen.replaceAll(v -> context.capture(v, name)));
    arguments.add(seen);
    inputs.addAll(seen);
    return this;
  }

  /**
   * Sets all inputs as a node lists them, without telling where a list argument ends; attributes tell that. They are taken as they
   * are, also those from outside of the scope's cond or loop.
   */
  public OperationBuilder flatInputs(List<Output> values) {
    flat = true;
    inputs.addAll(values);
    return this;
  }

  public OperationBuilder controlInput(Operation operation) {
    controlInputs.add(operation);
    return this;
  }

  /** Sets an attribute from a Java value; see {@link AttrValue#ofObject}. */
  public OperationBuilder attr(String attribute, Object value) {
    attributes.put(attribute, AttrValue.ofObject(value));
    return this;
  }

  /** Says what is known of an output's shape beyond what the op's shape rule finds. */
  public OperationBuilder outputShape(int output, Shape shape) {
    shapes.put(output, shape);
    return this;
  }

  public OperationBuilder device(DeviceSpec spec) {
    device = spec;
    return this;
  }

  public Operation build() {
    try {
      return scope.graph().add(finish());
    } catch (TributaryException e) {
      throw e.at(op + " '" + name + "'");
    }
  }

  /** Builds an operation of one output and gives that output. */
  public Output buildOutput() {
    return build().output(0);
  }

  private Finished finish() {
    OpDeclaration declaration = scope.graph().registry().lookup(op);
    inputs.forEach(this::requireSameGraph);
    Signature signature = new Signature(declaration.def(), attributes);
    if (flat) {
      signature.bindFlat(inputs);
    } else {
      signature.bind(arguments);
    }
    scope.colocation().ifPresent(this::addColocation);
    Attributes complete = signature.attributes();
    List<AttrValue.Type> outputTypes = signature.outputTypes();
    DeviceSpec chosen =
        scope.deviceFor(new DeviceFunction.Candidate(name, op, complete, device));
    InferenceContext context = new InferenceContext(complete, inputs, outputTypes);
    declaration.shape().infer(context);
    shapes.forEach(context::refine);
    Optional<KnownValue> value = declaration.value().flatMap(rule -> rule.valueOf(context));
    return new Finished(
        name, declaration, complete, chosen, inputs, controls(), context.finish(value), scope.flowContext());
  }

  private List<Operation> controls() {
    List<Operation> all = new ArrayList<>(controlInputs);
    scope.controlDependencies().stream().filter(o -> !all.contains(o)).forEach(all::add);
    if (!flat && scope.flowContext().isPresent()) {
      FlowContext context = scope.flowContext().get();
      all.replaceAll(operation -> context.captureControl(operation, name));
      context.pivotFor(inputs, all).ifPresent(all::add);
    }
    return all;
  }

  private void addColocation(Operation other) {
    AttrValue group =
        other.attributes().find("_class").orElseGet(() -> AttrValue.ofStrings(List.of("loc:@" + other.name())));
    attributes.putIfAbsent("_class", group);
  }

  private void requireSameGraph(Output value) {
    if (value.graph() != scope.graph()) {
      throw TributaryException.invalidArgument("input %s belongs to another graph", value);
    }
  }
}
