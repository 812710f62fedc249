package dev.tributary.internal.kernel;

import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * One call of a kernel: its inputs, its outputs and the step it belongs to. Used by one thread at a
 * time.
 */
public interface KernelContext {
  int inputCount();

  /** Input {@code i}, borrowed: valid until the call ends. */
  Tensor input(int i);

  /**
   * Input {@code i} with a reference that belongs to the kernel from now on: the step's own, if
   * nobody else in the step needs it. To be called once at most.
   */
  Tensor takeInput(int i);

  /** Returns whether input {@code i} arrived: a Merge gets one value only. */
  boolean hasInput(int i);

  /** The variable that a reference input points to. */
  VariableResource refInput(int i);

  /** Hands over output {@code i} with its reference. An output that a Switch leaves out is dead. */
  void setOutput(int i, Tensor value);

  /** Makes output {@code i} a reference to a variable. */
  void setRefOutput(int i, VariableResource variable);

  /** The type of output {@code i}, as the graph says. */
  DataType outputType(int i);

  /**
   * Returns whether output {@code output} of this shape could take over the storage of input {@code
   * input}: nobody else needs it, and it has the same type and size.
   */
  boolean canForward(int input, int output, Shape shape);

  /**
   * A tensor for output {@code output} that takes over the storage of input {@code input} if it
   * {@linkplain #canForward can} and should, or a fresh one; it is already set as the output. A
   * kernel that reads its input at the very index it writes may use it.
   */
  Tensor forwardOrAllocate(int input, int output, Shape shape);

  Step step();

  /** The while loop that this call is made in, the same on every task; 0 outside of loops. */
  long frameId();

  /** The iteration of that loop, from 0 on. */
  long iteration();

  Device device();

  default Allocator allocator() {
    return device().allocator();
  }

  /**
   * A fresh tensor of the output's type with undefined contents, already set as output {@code i}.
   */
  Tensor allocateOutput(int i, Shape shape);

  /** A fresh tensor with undefined contents, which the kernel closes or makes an output. */
  default Tensor allocate(DataType type, Shape shape) {
    return SharedTensors.allocate(allocator(), type, shape);
  }
}
