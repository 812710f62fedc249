package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.Inference;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node of a graph. It never changes, but for the input of a loop's Merge, which is known only
 * when the loop is closed ({@link Graph#updateInput}), control inputs that a loop adds, and calls
 * of functions that are inlined ({@link Graph#replaceByValues}).
 */
public final class Operation implements Operand {
  /** Attribute of an operation whose state each process has for itself, as local variables are. */
  public static final String LOCAL_STATE = "_local_state";

  private static final int DETACHED = -1;

  private final Graph graph;
  private final String name;
  private final DeviceSpec device;
  private final Inference inference;
  private final Optional<FlowContext> flowContext;

  /** Set once, when the operation joins its graph and before anyone else sees it. */
  private int id = DETACHED;

  /** Changes only if the operation {@linkplain Graph#replaceByValues gives values of others}. */
  private volatile OpDeclaration declaration;

  /** Those of the caller, until the operation joins its graph, which keeps tensors of its own. */
  private volatile Attributes attributes;

  /** Replaced, never changed, so that a reader needs no lock. */
  private volatile List<Output> inputs;

  private volatile List<Operation> controlInputs;

  Operation(
      Graph graph,
      String name,
      OpDeclaration declaration,
      Attributes attributes,
      DeviceSpec device,
      List<Output> inputs,
      List<Operation> controlInputs,
      Inference inference,
      Optional<FlowContext> flowContext) {
    this.graph = graph;
    this.name = name;
    this.declaration = declaration;
    this.attributes = attributes;
    this.device = device;
    this.inputs = List.copyOf(inputs);
    this.controlInputs = List.copyOf(controlInputs);
    this.inference = inference;
    this.flowContext = flowContext;
  }

  /** An operation for another graph that does the same, without edges and outside of any scope. */
  Operation copyFor(Graph other) {
    return new Operation(
        other,
        name,
        declaration,
        attributes,
        device,
        List.of(),
        List.of(),
        inference,
        Optional.empty());
  }

  /** Gives a copy its edges, before anyone else has seen it. */
  void connect(List<Output> sources, List<Operation> controls) {
    inputs = List.copyOf(sources);
    controlInputs = List.copyOf(controls);
  }

  public Graph graph() {
    return graph;
  }

  /** The operation's place in the order of creation; negative until it is in its graph. */
  public int id() {
    return id;
  }

  public String name() {
    return name;
  }

  /** The op, such as {@code MatMul}. */
  public String type() {
    return declaration.name();
  }

  public OpDeclaration declaration() {
    return declaration;
  }

  public Attributes attributes() {
    return attributes;
  }

  /** Returns where the client asked it to run; possibly nowhere in particular. */
  public DeviceSpec device() {
    return device;
  }

  public List<Output> inputs() {
    return inputs;
  }

  public Output input(int i) {
    return inputs.get(i);
  }

  public List<Operation> controlInputs() {
    return controlInputs;
  }

  public int outputCount() {
    return inference.types().size();
  }

  public Output output(int i) {
    if (i < 0 || i >= outputCount()) {
      throw TributaryException.outOfRange(
          "%s '%s' has %d outputs, not one numbered %d", type(), name, outputCount(), i);
    }
    return new Output(this, i);
  }

  /** Returns the only output. */
  @Override
  public Output asOutput() {
    if (outputCount() == 0) {
      throw TributaryException.invalidArgument(
          "%s has no output and cannot be used as a value: run it, or make it a control dependency",
          this);
    }
    if (outputCount() > 1) {
      throw TributaryException.invalidArgument(
          "%s has %d outputs: choose one with output(i)", this, outputCount());
    }
    return new Output(this, 0);
  }

  public List<Output> outputs() {
    List<Output> outputs = new ArrayList<>(outputCount());
    for (int i = 0; i < outputCount(); i++) {
      outputs.add(new Output(this, i));
    }
    return outputs;
  }

  public List<DataType> outputTypes() {
    List<DataType> types = new ArrayList<>(outputCount());
    for (AttrValue.Type type : inference.types()) {
      types.add(type.value());
    }
    return types;
  }

  /** The shapes of the outputs, as far as they are known. */
  public List<Shape> outputShapes() {
    return inference.shapes();
  }

  /** Returns whether it has its place in the graph that it was made for. */
  boolean isInGraph() {
    return id != DETACHED;
  }

  /** The cond or while body in which the operation was made, if any. */
  public Optional<FlowContext> flowContext() {
    return flowContext;
  }

  /** The first output's value as far as it is known, if it is a small integer vector. */
  public Optional<KnownValue> knownValue() {
    return inference.value();
  }

  /** The shape of what a resource output stands for, if that is a single tensor. */
  public Shape handleShape(int i) {
    List<Shape> shapes = handleShapes(i);
    return shapes.size() == 1 ? shapes.get(0) : Shape.unknown();
  }

  /** The shapes of the tensors that a resource output stands for; none if nothing is known. */
  public List<Shape> handleShapes(int i) {
    return inference.handleShapes().get(i);
  }

  DataType outputType(int i) {
    return inference.types().get(i).value();
  }

  boolean isOutputRef(int i) {
    return inference.types().get(i).isRef();
  }

  Shape outputShape(int i) {
    return inference.shapes().get(i);
  }

  /** Takes references to the tensors of its attributes. */
  void joinGraph(int place, GraphTensors tensors) {
    if (id != DETACHED) {
      throw TributaryException.internal("%s is in the graph already", this);
    }
    attributes = tensors.keep(attributes, this);
    id = place;
  }

  /** Undoes {@link #joinGraph}, before anyone else has seen it. */
  void leaveGraph() {
    id = DETACHED;
    releaseTensors();
  }

  /** Gives back the tensors that {@link #joinGraph} took references to. */
  void releaseTensors() {
    GraphTensors.release(attributes);
  }

  /** Under the graph's monitor. */
  void replaceInput(int i, Output value) {
    List<Output> changed = new ArrayList<>(inputs);
    changed.set(i, value);
    inputs = List.copyOf(changed);
  }

  /** Under the graph's monitor. */
  void addControlInput(Operation operation) {
    if (!controlInputs.contains(operation)) {
      List<Operation> changed = new ArrayList<>(controlInputs);
      changed.add(operation);
      controlInputs = List.copyOf(changed);
    }
  }

  /** Under the graph's monitor. The outputs keep their types and what is known of their shapes. */
  void becomeIdentities(OpDeclaration identities, List<Output> values, List<Operation> controls) {
    attributes =
        Attributes.of(Map.of("T", AttrValue.ofTypes(values.stream().map(Output::type).toList())));
    inputs = List.copyOf(values);
    controlInputs = List.copyOf(controls);
    declaration = identities;
  }

  @Override
  public String toString() {
    return type() + " '" + name + "'";
  }
}
