package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.Step;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * A call on float16 or bfloat16 as a kernel for float sees it. It owns the widened inputs, and the
 * outputs until they are rounded. Used by one thread.
 */
final class FloatCall implements KernelContext, AutoCloseable {
  private final KernelContext call;
  private final Tensor[] widened;
  private final Tensor[] outputs;

  FloatCall(KernelContext call, int outputCount) {
    this.call = call;
    this.widened = new Tensor[call.inputCount()];
    this.outputs = new Tensor[outputCount];
  }

  /** Hands the outputs to the real call, in its types. */
  void roundOutputs() {
    for (int i = 0; i < outputs.length; i++) {
      if (outputs[i] != null) {
        Tensor rounded = call.allocateOutput(i, outputs[i].shape());
        CastLoop.run(
            outputs[i].type(),
            outputs[i].storage().address(),
            rounded.type(),
            rounded.storage().address(),
            rounded.elementCount());
      }
    }
  }

  @Override
  public void close() {
    close(widened);
    close(outputs);
  }

  private static void close(Tensor[] tensors) {
    for (Tensor tensor : tensors) {
      if (tensor != null) {
        tensor.close();
      }
    }
  }

  @Override
  public int inputCount() {
    return call.inputCount();
  }

  @Override
  public Tensor input(int i) {
    Tensor input = call.input(i);
    if (!HalvesInFloat.isHalf(input.type())) {
      return input;
    }
    if (widened[i] == null) {
      widened[i] = GemmTypes.widened(call, DataType.FLOAT, input);
    }
    return widened[i];
  }

  @Override
  public Tensor takeInput(int i) {
    return input(i).retain();
  }

  @Override
  public boolean hasInput(int i) {
    return call.hasInput(i);
  }

  @Override
  public VariableResource refInput(int i) {
    return call.refInput(i);
  }

  @Override
  public void setOutput(int i, Tensor value) {
    if (HalvesInFloat.isHalf(call.outputType(i))) {
      outputs[i] = value;
    } else {
      call.setOutput(i, value);
    }
  }

  @Override
  public void setRefOutput(int i, VariableResource variable) {
    call.setRefOutput(i, variable);
  }

  @Override
  public DataType outputType(int i) {
    return HalvesInFloat.computed(call.outputType(i));
  }

  @Override
  public boolean canForward(int input, int output, Shape shape) {
    return false;
  }

  @Override
  public Tensor forwardOrAllocate(int input, int output, Shape shape) {
    return allocateOutput(output, shape);
  }

  @Override
  public Step step() {
    return call.step();
  }

  @Override
  public long frameId() {
    return call.frameId();
  }

  @Override
  public long iteration() {
    return call.iteration();
  }

  @Override
  public Device device() {
    return call.device();
  }

  @Override
  public Tensor allocateOutput(int i, Shape shape) {
    if (!HalvesInFloat.isHalf(call.outputType(i))) {
      return call.allocateOutput(i, shape);
    }
    outputs[i] = allocate(DataType.FLOAT, shape);
    return outputs[i];
  }
}
