package dev.tributary.internal.plan;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Operation;
import dev.tributary.internal.op.ArgDef;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A node of a {@link StepGraph}. Rewrites may change its edges, a placer its device; the rest is
 * fixed.
 */
public final class StepNode {
  /** One output of a node, as seen from a node that consumes it. */
  public record Source(StepNode node, int index) {
    public DataType type() {
      return node.outputTypes.get(index);
    }

    /** The shape, as far as it is known before the step runs. */
    public Shape shape() {
      return node.outputShapes.get(index);
    }

    /** Returns whether this is a reference to a variable rather than a value. */
    public boolean isRef() {
      return node.refOutputs[index];
    }

    // As a record has them, which are made by the first call and slow until they are compiled.

    @Override
    public boolean equals(Object other) {
      return other instanceof Source that && node == that.node && index == that.index;
    }

    @Override
    public int hashCode() {
      return 31 * node.hashCode() + index;
    }

    /** TensorFlow's name of a tensor: {@code node:index}. */
    @Override
    public String toString() {
      return node.name + ":" + index;
    }
  }

  private final String name;
  private final OpDeclaration declaration;
  private final Attributes attributes;
  private final DeviceSpec requestedDevice;
  private final List<DataType> outputTypes;
  private final List<Shape> outputShapes;
  private final boolean[] refInputs;
  private final boolean[] refOutputs;
  private final List<Source> inputs;
  private final List<StepNode> controlInputs = new ArrayList<>(0);
  private String device = "";
  private String function = "";

  /** A node of which only the types of outputs are known. */
  public StepNode(
      String name,
      OpDeclaration declaration,
      Attributes attributes,
      DeviceSpec requestedDevice,
      List<DataType> outputTypes) {
    this(
        name,
        declaration,
        attributes,
        requestedDevice,
        outputTypes,
        Collections.nCopies(outputTypes.size(), Shape.unknown()));
  }

  public StepNode(
      String name,
      OpDeclaration declaration,
      Attributes attributes,
      DeviceSpec requestedDevice,
      List<DataType> outputTypes,
      List<Shape> outputShapes) {
    this.name = name;
    this.declaration = declaration;
    this.attributes = attributes;
    this.requestedDevice = requestedDevice;
    this.outputTypes = List.copyOf(outputTypes);
    this.outputShapes = List.copyOf(outputShapes);
    this.refInputs = references(declaration.def().inputs());
    this.inputs = new ArrayList<>(refInputs.length);
    this.refOutputs = references(declaration.def().outputs());
  }

  /** A node that stands for an operation of a graph, without its edges. */
  public static StepNode of(Operation operation) {
    return new StepNode(
        operation.name(),
        operation.declaration(),
        operation.attributes(),
        operation.device(),
        operation.outputTypes(),
        operation.outputShapes());
  }

  public String name() {
    return name;
  }

  public OpDeclaration declaration() {
    return declaration;
  }

  public Attributes attributes() {
    return attributes;
  }

  /** Returns where the client asked it to run; possibly nowhere in particular. */
  public DeviceSpec requestedDevice() {
    return requestedDevice;
  }

  /** The full name of the device it will run on; empty until it was placed. */
  public String device() {
    return device;
  }

  public void place(String fullDeviceName) {
    device = fullDeviceName;
  }

  /** Says from the body of which function the node comes, for errors. */
  public void comesFrom(String functionName) {
    function = functionName;
  }

  /** The function from whose body the node comes; empty if it comes from none. */
  public String function() {
    return function;
  }

  public List<DataType> outputTypes() {
    return outputTypes;
  }

  /** The shapes, as far as they were known when the graph was built. */
  public List<Shape> outputShapes() {
    return outputShapes;
  }

  /** Returns whether input {@code i} takes a variable itself rather than its value. */
  public boolean isRefInput(int i) {
    return refInputs[i];
  }

  /** Returns whether output {@code i} is a reference to a variable rather than a value. */
  public boolean isRefOutput(int i) {
    return refOutputs[i];
  }

  /** The data inputs, in order; may be changed by a rewrite. */
  public List<Source> inputs() {
    return inputs;
  }

  /** The control inputs; may be changed by a rewrite. */
  public List<StepNode> controlInputs() {
    return controlInputs;
  }

  /** The name of this node in errors and traces. */
  @Override
  public String toString() {
    return describe(declaration.name(), name, function);
  }

  /**
   * Returns the name of a node in errors and traces, with the function whose body it is in, if any.
   */
  public static String describe(String op, String name, String function) {
    return op + " '" + name + (function.isEmpty() ? "'" : "' of function '" + function + "'");
  }

  private boolean[] references(List<ArgDef> arguments) {
    boolean[] references = new boolean[arguments.size()];
    int used = 0;
    for (ArgDef argument : arguments) {
      int count = count(argument);
      if (used + count > references.length) {
        references = Arrays.copyOf(references, 2 * (used + count));
      }
      Arrays.fill(references, used, used + count, argument.isRef());
      used += count;
    }
    return references.length == used ? references : Arrays.copyOf(references, used);
  }

  private int count(ArgDef argument) {
    if (argument.numberAttr().isPresent()) {
      return Math.toIntExact(attributes.integer(argument.numberAttr().get()));
    }
    return argument.typeListAttr().isPresent()
        ? attributes.list(argument.typeListAttr().get()).size()
        : 1;
  }
}
