package dev.tributary.internal.function;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes that an expansion adds around those of the bodies. They are collected in order, each
 * after what it depends on, loops apart. Confined to one expansion.
 */
final class NewNodes {
  private static final String COLOCATION = "_class";

  private final OpRegistry registry;
  private final List<StepNode> all = new ArrayList<>();

  NewNodes(OpRegistry registry) {
    this.registry = registry;
  }

  List<StepNode> all() {
    return all;
  }

  void add(StepNode node) {
    all.add(node);
  }

  StepNode noOp(String name, DeviceSpec device, Collection<StepNode> controls) {
    return make(name, "NoOp", Map.of(), device, List.of(), controls, List.of());
  }

  /** Runs after these, even after those that are on a branch not taken. */
  StepNode controlTrigger(String name, DeviceSpec device, Collection<StepNode> controls) {
    return make(name, "ControlTrigger", Map.of(), device, List.of(), controls, List.of());
  }

  Source identity(String name, DeviceSpec device, Source value, Collection<StepNode> controls) {
    return new Source(
        make(name, "Identity", type(value), device, List.of(value), controls, List.of(value)), 0);
  }

  Source toBool(String name, DeviceSpec device, Source value) {
    return new Source(
        make(
            name,
            "ToBool",
            type(value),
            device,
            List.of(value),
            List.of(),
            List.of(DataType.BOOL),
            List.of(Shape.scalar())),
        0);
  }

  /** A Switch that stays where its data is. */
  StepNode dataSwitch(String name, Source data, Source predicate) {
    return switchOn(name, DeviceSpec.empty(), data, predicate, List.of(), with(data));
  }

  StepNode switchOn(
      String name, DeviceSpec device, Source data, Source predicate, List<StepNode> controls) {
    return switchOn(name, device, data, predicate, controls, type(data));
  }

  private StepNode switchOn(
      String name,
      DeviceSpec device,
      Source data,
      Source predicate,
      List<StepNode> controls,
      Map<String, AttrValue> attributes) {
    return make(
        name,
        "Switch",
        attributes,
        device,
        List.of(data, predicate),
        controls,
        List.of(data, data));
  }

  /** A Switch with many outputs, which stays where its data is. */
  StepNode dataSwitchN(String name, Source data, Source index, int outputs) {
    return switchN(name, DeviceSpec.empty(), data, index, outputs, List.of(), with(data));
  }

  StepNode switchN(
      String name,
      DeviceSpec device,
      Source data,
      Source index,
      int outputs,
      List<StepNode> controls) {
    return switchN(name, device, data, index, outputs, controls, type(data));
  }

  private StepNode switchN(
      String name,
      DeviceSpec device,
      Source data,
      Source index,
      int outputs,
      List<StepNode> controls,
      Map<String, AttrValue> attributes) {
    Map<String, AttrValue> counted = new HashMap<>(attributes);
    counted.put("num_outs", AttrValue.of(outputs));
    return make(
        name,
        "_SwitchN",
        counted,
        device,
        List.of(data, index),
        controls,
        Collections.nCopies(outputs, data));
  }

  StepNode merge(String name, DeviceSpec device, List<Source> inputs) {
    Map<String, AttrValue> attributes = new HashMap<>(type(inputs.get(0)));
    attributes.put("N", AttrValue.of(inputs.size()));
    return make(
        name,
        "Merge",
        attributes,
        device,
        inputs,
        List.of(),
        List.of(inputs.get(0).type(), DataType.INT32),
        List.of(Shape.unknown(), Shape.scalar()));
  }

  Source enter(
      String name,
      DeviceSpec device,
      Source value,
      FrameAttributes frame,
      boolean constant,
      Collection<StepNode> controls) {
    Map<String, AttrValue> attributes = new HashMap<>(type(value));
    attributes.put("frame_name", AttrValue.of(frame.name()));
    attributes.put("is_constant", AttrValue.of(constant));
    attributes.put("parallel_iterations", AttrValue.of(frame.parallelIterations()));
    return new Source(
        make(
            name,
            "Enter",
            attributes,
            device,
            List.of(value),
            controls,
            List.of(value.type()),
            List.of(constant ? value.shape() : Shape.unknown())),
        0);
  }

  /** A node of an op that takes one value and gives one of the same type. */
  Source pass(
      String op, String name, DeviceSpec device, Source value, Collection<StepNode> controls) {
    boolean typed = !op.equals("LoopCond");
    return new Source(
        make(
            name,
            op,
            typed ? type(value) : Map.of(),
            device,
            List.of(value),
            controls,
            List.of(value.type()),
            List.of(Shape.unknown())),
        0);
  }

  private static Map<String, AttrValue> type(Source value) {
    return Map.of("T", AttrValue.of(value.type()));
  }

  /** The type of a value, and the wish to be where it is. */
  private static Map<String, AttrValue> with(Source value) {
    return Map.of(
        "T",
        AttrValue.of(value.type()),
        COLOCATION,
        AttrValue.ofStrings(List.of("loc:@" + value.node().name())));
  }

  private StepNode make(
      String name,
      String op,
      Map<String, AttrValue> attributes,
      DeviceSpec device,
      List<Source> inputs,
      Collection<StepNode> controls,
      List<Source> like) {
    return make(
        name,
        op,
        attributes,
        device,
        inputs,
        controls,
        like.stream().map(Source::type).toList(),
        like.stream().map(Source::shape).toList());
  }

  private StepNode make(
      String name,
      String op,
      Map<String, AttrValue> attributes,
      DeviceSpec device,
      List<Source> inputs,
      Collection<StepNode> controls,
      List<DataType> types,
      List<Shape> shapes) {
    StepNode node =
        new StepNode(name, registry.lookup(op), Attributes.of(attributes), device, types, shapes);
    node.inputs().addAll(inputs);
    controls.forEach(
        control -> {
          if (!node.controlInputs().contains(control)) {
            node.controlInputs().add(control);
          }
        });
    all.add(node);
    return node;
  }
}
