package dev.tributary.internal.executor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The values of a step in a {@link FixedOrder}, and the call of the node that runs. It holds one
 * reference to each value, from the node that makes it to the one that uses it last. Used by one
 * thread at a time, and by one step after the other.
 */
final class FixedWorkspace implements KernelContext {
  private final Device device;

  /** By number: a tensor, a variable, or null before it is made and after its last use. */
  private final Object[] values;

  /** Values read for this call from the variables that inputs refer to. */
  private Tensor[] read = new Tensor[4];

  /** A bit for each input that gave its storage to an output in this call. */
  private long taken;

  /** Null in a graph without control flow. */
  private final FlowState flow;

  private Step step;
  private FixedNode node;

  FixedWorkspace(int valueCount, FlowState flow, Device device) {
    this.values = new Object[valueCount];
    this.flow = flow;
    this.device = device;
  }

  void begin(Step next) {
    step = next;
  }

  /** Runs a node. If that fails, the values are as {@link #clear} can take them. */
  void run(FixedNode next) {
    node = next;
    compute(next);
    requireOutputs(next);
    dropLastUses(next);
  }

  /**
   * Takes the turn of a node in a graph with control flow: runs it unless it is dead. Returns the
   * place of the node whose turn comes after.
   */
  int runFlow(FlowNode next) {
    node = next;
    if (next.begins) {
      flow.beginIteration(next.loop);
    }
    if (!flow.findDead(next, values)) {
      switch (next.kind) {
        case ENTER, EXIT, NEXT_ITERATION, LOOP_COND -> pass(next, 0);
        case MERGE -> merge(next);
        case SWITCH -> compute(next);
        default -> {
          compute(next);
          requireOutputs(next);
        }
      }
    }
    dropLastUses(next);
    return next.ends ? flow.endIteration(next.loop, values) : next.place + 1;
  }

  /** Returns whether a node was dead when its turn came last. */
  boolean wasDead(FlowNode done) {
    return flow.isDead(done);
  }

  private void merge(FixedNode next) {
    int live = FlowState.liveInput(next, values);
    pass(next, live);
    if (!isUnused(next, next.firstOutput + 1)) {
      setOutput(1, Tensor.scalar(live));
    }
  }

  private static boolean isUnused(FixedNode node, int value) {
    for (int unused : node.unusedOutputs) {
      if (unused == value) {
        return true;
      }
    }
    return false;
  }

  /** Makes an input output 0: moves its reference if nobody else needs it. */
  private void pass(FixedNode next, int input) {
    Object value = values[next.inputs[input]];
    if (value instanceof Tensor) {
      value = takeInput(input);
    } else if (!next.item.refInputs[input]) {
      value = ((VariableResource) value).read();
    } else if (!next.item.allowsUninitialized) {
      ((VariableResource) value).requireInitialized();
    }
    StepExecution.drop(values[next.firstOutput]);
    values[next.firstOutput] = value;
  }

  private void compute(FixedNode next) {
    if (next.references.length == 0) {
      next.kernel.compute(this);
    } else {
      runWithReferences(next);
    }
  }

  private void requireOutputs(FixedNode next) {
    for (int i = next.firstOutput; i < next.firstOutput + next.outputTypes.length; i++) {
      if (values[i] == null) {
        throw StepEnding.missingOutput(next.item);
      }
    }
    if (next.item.hasStrings) {
      countStrings(next);
    }
  }

  private void countStrings(FixedNode next) {
    for (int i = next.firstOutput; i < next.firstOutput + next.outputTypes.length; i++) {
      if (values[i] instanceof Tensor) {
        SharedTensors.countStrings((Tensor) values[i], device.allocator().budget());
      }
    }
  }

  /** Bytes of the values that a node is going to read. */
  long inputBytes(FixedNode next) {
    long bytes = 0;
    for (int number : next.inputs) {
      bytes += StepExecution.byteSize(values[number]);
    }
    return bytes;
  }

  /** Bytes of the outputs of the node that ran last and are still there. */
  long outputBytes() {
    long bytes = 0;
    for (int i = node.firstOutput; i < node.firstOutput + node.outputTypes.length; i++) {
      bytes += values[i] instanceof Tensor ? ((Tensor) values[i]).byteSize() : 0;
    }
    return bytes;
  }

  /** Gives back all values that a step which ended early has left. */
  void clear() {
    forgetTaken();
    if (flow != null) {
      flow.clear();
    }
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      values[i] = null;
      StepExecution.drop(value);
    }
  }

  /** Lets go of the step, whose values have all been given back. */
  void end() {
    step = null;
    node = null;
  }

  private void runWithReferences(FixedNode next) {
    if (next.inputs.length > read.length) {
      read = new Tensor[next.inputs.length];
    }
    try {
      for (int i : next.references) {
        VariableResource variable = (VariableResource) values[next.inputs[i]];
        if (!next.item.refInputs[i]) {
          read[i] = variable.read();
        } else if (!next.item.allowsUninitialized) {
          variable.requireInitialized();
        }
      }
      next.kernel.compute(this);
    } finally {
      for (int i : next.references) {
        if (read[i] != null) {
          read[i].close();
          read[i] = null;
        }
      }
    }
  }

  private void dropLastUses(FixedNode done) {
    forgetTaken();
    for (int i : done.lastUses) {
      int number = done.inputs[i];
      Object value = values[number];
      values[number] = null;
      StepExecution.drop(value);
    }
    for (int number : done.unusedOutputs) {
      Object value = values[number];
      values[number] = null;
      StepExecution.drop(value);
    }
  }

  /** The references of these values went over to outputs. */
  private void forgetTaken() {
    for (long left = taken; left != 0; left &= left - 1) {
      values[node.inputs[Long.numberOfTrailingZeros(left)]] = null;
    }
    taken = 0;
  }

  @Override
  public int inputCount() {
    return node.inputs.length;
  }

  @Override
  public Tensor input(int i) {
    Object value = values[node.inputs[i]];
    return value instanceof Tensor ? (Tensor) value : read[i];
  }

  @Override
  public Tensor takeInput(int i) {
    if (!node.owns(i)) {
      return input(i).retain();
    }
    taken |= 1L << i;
    return input(i);
  }

  @Override
  public boolean hasInput(int i) {
    return true;
  }

  @Override
  public VariableResource refInput(int i) {
    return (VariableResource) values[node.inputs[i]];
  }

  @Override
  public void setOutput(int i, Tensor value) {
    int number = node.firstOutput + i;
    if (values[number] != null) {
      value.close();
      throw TributaryException.internal("output %d was set twice", i);
    }
    values[number] = SharedTensors.take(value);
  }

  @Override
  public void setRefOutput(int i, VariableResource variable) {
    values[node.firstOutput + i] = variable;
  }

  @Override
  public DataType outputType(int i) {
    return node.outputTypes[i];
  }

  @Override
  public Tensor allocateOutput(int i, Shape shape) {
    Tensor tensor = node.item.allocateOutput(i, shape, step, allocator());
    setOutput(i, tensor);
    return tensor;
  }

  @Override
  public boolean canForward(int input, int output, Shape shape) {
    if (!node.owns(input) || (taken >>> input & 1) != 0) {
      return false;
    }
    Tensor candidate = (Tensor) values[node.inputs[input]];
    return candidate.isExclusive()
        && candidate.type() == node.outputTypes[output]
        && candidate.elementCount() == shape.elementCount();
  }

  @Override
  public Tensor forwardOrAllocate(int input, int output, Shape shape) {
    if (node.item.isSent(output) || !canForward(input, output, shape)) {
      return allocateOutput(output, shape);
    }
    Tensor forwarded = ((Tensor) values[node.inputs[input]]).reshape(shape);
    taken |= 1L << input;
    setOutput(output, forwarded);
    return forwarded;
  }

  @Override
  public Step step() {
    return step;
  }

  @Override
  public long frameId() {
    return flow == null ? FrameId.ROOT : flow.frameId(((FlowNode) node).loop);
  }

  @Override
  public long iteration() {
    return flow == null ? 0 : flow.iteration(((FlowNode) node).loop);
  }

  @Override
  public Device device() {
    return device;
  }
}
