package dev.tributary.graph;

import dev.tributary.op.Attributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Settings for new operations: a name prefix, devices, control dependencies, a colocation.
 * Immutable: each {@code with} method returns a narrower scope and leaves this one unchanged.
 */
public final class Scope {
  private final Graph graph;
  private final String prefix;
  private final Optional<String> operationName;
  private final List<DeviceFunction> devices;
  private final List<Operation> controlDependencies;
  private final Optional<Operation> colocation;
  private final Optional<FlowContext> flowContext;

  private Scope(
      Graph graph,
      String prefix,
      Optional<String> operationName,
      List<DeviceFunction> devices,
      List<Operation> controlDependencies,
      Optional<Operation> colocation,
      Optional<FlowContext> flowContext) {
    this.graph = graph;
    this.prefix = prefix;
    this.operationName = operationName;
    this.devices = devices;
    this.controlDependencies = controlDependencies;
    this.colocation = colocation;
    this.flowContext = flowContext;
  }

  static Scope root(Graph graph) {
    return new Scope(
        graph, "", Optional.empty(), List.of(), List.of(), Optional.empty(), Optional.empty());
  }

  public Graph graph() {
    return graph;
  }

  /**
   * A scope whose names start with this one's prefix and {@code name}; used a second time it
   * becomes {@code name_1}.
   */
  public Scope withSubScope(String name) {
    return new Scope(
        graph,
        graph.takeName(prefix + name) + "/",
        Optional.empty(),
        devices,
        controlDependencies,
        colocation,
        flowContext);
  }

  /** A scope that gives the next operation this name, made unique. */
  public Scope withName(String name) {
    return new Scope(
        graph, prefix, Optional.of(name), devices, controlDependencies, colocation, flowContext);
  }

  /** A scope that gives no name to the next operation. */
  public Scope withoutName() {
    return new Scope(
        graph, prefix, Optional.empty(), devices, controlDependencies, colocation, flowContext);
  }

  /** A scope whose names start at the root again. */
  public Scope withoutPrefix() {
    return new Scope(
        graph, "", Optional.empty(), devices, controlDependencies, colocation, flowContext);
  }

  /** A scope whose operations ask for this device where inner scopes do not say otherwise. */
  public Scope withDevice(String device) {
    DeviceSpec spec = DeviceSpec.parse(device);
    return withDeviceFunction(operation -> operation.device().orElse(spec));
  }

  public Scope withDeviceFunction(DeviceFunction function) {
    List<DeviceFunction> inner = new ArrayList<>(devices);
    inner.add(function);
    return new Scope(
        graph,
        prefix,
        operationName,
        List.copyOf(inner),
        controlDependencies,
        colocation,
        flowContext);
  }

  /**
   * The device that an operation which is nothing special asks for in this scope: where a device
   * function puts what it does not send elsewhere.
   */
  public DeviceSpec plainDevice() {
    return deviceFor(
        new DeviceFunction.Candidate("", "NoOp", Attributes.empty(), DeviceSpec.empty()));
  }

  /** A scope that forgets the devices of the scopes around it. */
  public Scope withoutDevice() {
    return new Scope(
        graph, prefix, operationName, List.of(), controlDependencies, colocation, flowContext);
  }

  /** A scope whose operations run after these. */
  public Scope withControlDependencies(Collection<Operation> operations) {
    Set<Operation> all = new LinkedHashSet<>(controlDependencies);
    all.addAll(operations);
    return new Scope(
        graph, prefix, operationName, devices, List.copyOf(all), colocation, flowContext);
  }

  /** A scope that forgets the control dependencies and the control flow of the scopes around it. */
  public Scope withoutControlDependencies() {
    return new Scope(
        graph, prefix, operationName, devices, List.of(), colocation, Optional.empty());
  }

  /**
   * A scope whose operations run where {@code operation} does, whatever device the scopes around it
   * ask for.
   */
  public Scope colocatedWith(Operation operation) {
    return new Scope(
        graph,
        prefix,
        operationName,
        devices,
        controlDependencies,
        Optional.of(operation),
        flowContext);
  }

  /**
   * A scope inside a cond branch or loop body. Control dependencies of the outside stay outside.
   */
  public Scope withFlowContext(Optional<FlowContext> context) {
    return new Scope(graph, prefix, operationName, devices, List.of(), colocation, context);
  }

  public Optional<FlowContext> flowContext() {
    return flowContext;
  }

  /** The prefix of names in this scope: empty, or a path that ends in a slash. */
  public String prefix() {
    return prefix;
  }

  /** A free name with this scope's prefix, which is then taken. */
  public String uniqueName(String name) {
    return graph.takeName(prefix + name);
  }

  /** Starts an operation of type {@code op}, called as the scope says or after the op. */
  public OperationBuilder operation(String op) {
    return new OperationBuilder(this, op, prefix + operationName.orElse(op), false);
  }

  DeviceSpec deviceFor(DeviceFunction.Candidate candidate) {
    if (colocation.isPresent() && !colocation.get().device().isEmpty()) {
      return colocation.get().device();
    }
    DeviceSpec device = candidate.device();
    for (int i = devices.size() - 1; i >= 0; i--) {
      device =
          devices
              .get(i)
              .deviceFor(
                  new DeviceFunction.Candidate(
                      candidate.name(), candidate.op(), candidate.attributes(), device));
    }
    return device;
  }

  /** The name that the next operation is to have, if one was given. */
  public Optional<String> operationName() {
    return operationName;
  }

  List<Operation> controlDependencies() {
    return controlDependencies;
  }

  Optional<Operation> colocation() {
    return colocation;
  }
}
