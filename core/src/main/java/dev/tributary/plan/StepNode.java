package dev.tributary.plan;

import dev.tributary.graph.OpDeclaration;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;

/** A node of a {@link StepGraph}. Rewrites may change its edges; the rest is fixed. */
public final class StepNode {
  /** One output of a node, as seen from a node that consumes it. */
  public record Source(StepNode node, int index) {}

  private final String name;
  private final OpDeclaration declaration;
  private final Attributes attributes;
  private final String device;
  private final List<DataType> outputTypes;
  private final List<Source> inputs = new ArrayList<>();
  private final List<StepNode> controlInputs = new ArrayList<>();

  public StepNode(
      String name, OpDeclaration declaration, Attributes attributes, String device, List<DataType> outputTypes) {
    this.name = name;
    this.declaration = declaration;
    this.attributes = attributes;
    this.device = device;
    this.outputTypes = List.copyOf(outputTypes);
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

  /** The device that was asked for, or the empty string. */
  public String device() {
    return device;
  }

  public List<DataType> outputTypes() {
    return outputTypes;
  }

  /** The data inputs, in order; may be changed by a rewrite. */
  public List<Source> inputs() {
    return inputs;
  }

  /** The control inputs; may be changed by a rewrite. */
  public List<StepNode> controlInputs() {
    return controlInputs;
  }

  /** How errors and traces call this node. */
  @Override
  public String toString() {
    return declaration.name() + " '" + name + "'";
  }
}
