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
 * One call of a node's kernel. It owns a reference to each input value until {@link #release};
 * outputs belong to it until the executor takes them. Used by one thread at a time.
 */
final class NodeContext implements KernelContext {
  private final Step step;
  private final Device device;
  private NodeItem node;
  private long frameId;
  private long iteration;
  private Object[] inputs = new Object[8];
  private boolean[] taken = new boolean[8];
  private Object[] outputs = new Object[4];

  NodeContext(Step step, Device device) {
    this.step = step;
    this.device = device;
  }

  /** Takes the inputs of a node that is ready in some iteration of some frame. */
  void load(ReadyNode ready) {
    frameId = ready.iteration.frame.id;
    iteration = ready.iteration.number;
    load(ready.node, ready.iteration.slots, ready.node.firstSlot);
  }

  /**
   * Takes the node's inputs out of the slots; references to variables are read unless the node
   * wants them as such.
   */
  void load(NodeItem next, Object[] slots, int first) {
    node = next;
    int inputCount = next.inputCount();
    if (inputCount > inputs.length) {
      inputs = new Object[inputCount];
      taken = new boolean[inputCount];
    }
    if (next.outputTypes.length > outputs.length) {
      outputs = new Object[next.outputTypes.length];
    }
    for (int i = 0; i < inputCount; i++) {
      inputs[i] = slots[first + i];
      slots[first + i] = null;
    }
    for (int i = 0; i < inputCount; i++) {
      if (inputs[i] instanceof VariableResource && !next.refInputs[i]) {
        inputs[i] = ((VariableResource) inputs[i]).read();
      } else if (inputs[i] instanceof VariableResource && !next.allowsUninitialized) {
        ((VariableResource) inputs[i]).requireInitialized();
      }
    }
  }

  /** The output with its reference, which now belongs to the caller. */
  Object takeOutput(int i) {
    Object value = outputs[i];
    outputs[i] = null;
    return value;
  }

  boolean hasOutput(int i) {
    return outputs[i] != null;
  }

  /** Counts the strings of the outputs; RESOURCE_EXHAUSTED if they do not fit. */
  void countStrings() {
    for (int i = 0; i < node.outputTypes.length; i++) {
      if (outputs[i] instanceof Tensor) {
        SharedTensors.countStrings((Tensor) outputs[i], device.allocator().budget());
      }
    }
  }

  /** Gives back the inputs that no output took over. */
  void release() {
    for (int i = 0; i < node.inputCount(); i++) {
      if (!taken[i] && inputs[i] instanceof Tensor) {
        ((Tensor) inputs[i]).close();
      }
      inputs[i] = null;
      taken[i] = false;
    }
  }

  /** Gives back outputs after a failure. */
  void dropOutputs() {
    for (int i = 0; i < node.outputTypes.length; i++) {
      if (outputs[i] instanceof Tensor) {
        ((Tensor) outputs[i]).close();
      }
      outputs[i] = null;
    }
  }

  @Override
  public int inputCount() {
    return node.inputCount();
  }

  @Override
  public Tensor input(int i) {
    return (Tensor) inputs[i];
  }

  @Override
  public Tensor takeInput(int i) {
    taken[i] = true;
    return (Tensor) inputs[i];
  }

  @Override
  public boolean hasInput(int i) {
    return inputs[i] != null;
  }

  @Override
  public VariableResource refInput(int i) {
    return (VariableResource) inputs[i];
  }

  @Override
  public void setOutput(int i, Tensor value) {
    if (outputs[i] != null) {
      value.close();
      throw TributaryException.internal("output %d was set twice", i);
    }
    outputs[i] = SharedTensors.take(value);
  }

  @Override
  public void setRefOutput(int i, VariableResource variable) {
    outputs[i] = variable;
  }

  @Override
  public DataType outputType(int i) {
    return node.outputTypes[i];
  }

  @Override
  public Tensor allocateOutput(int i, Shape shape) {
    Tensor tensor = node.allocateOutput(i, shape, step, allocator());
    setOutput(i, tensor);
    return tensor;
  }

  @Override
  public boolean canForward(int input, int output, Shape shape) {
    Tensor candidate = (Tensor) inputs[input];
    return !taken[input]
        && candidate.isExclusive()
        && candidate.type() == node.outputTypes[output]
        && candidate.elementCount() == shape.elementCount();
  }

  @Override
  public Tensor forwardOrAllocate(int input, int output, Shape shape) {
    if (node.isSent(output) || !canForward(input, output, shape)) {
      return allocateOutput(output, shape);
    }
    Tensor forwarded = ((Tensor) inputs[input]).reshape(shape);
    taken[input] = true;
    setOutput(output, forwarded);
    return forwarded;
  }

  @Override
  public Step step() {
    return step;
  }

  @Override
  public long frameId() {
    return frameId;
  }

  @Override
  public long iteration() {
    return iteration;
  }

  @Override
  public Device device() {
    return device;
  }
}
