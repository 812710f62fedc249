package dev.tributary.internal.kernel.training;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.VariableResource;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.kernel.state.RowIndices;
import dev.tributary.internal.kernel.state.VariableInput;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Applies an {@link UpdateRule} to a variable and its slots, all locked together and changed in
 * place: to all elements, or to the rows that indices name, one after the other.
 */
public final class ApplyUpdate implements Kernel {
  private final UpdateRule rule;
  private final UpdateInputs inputs;
  private final VariableInput variables;
  private final DataType type;
  private final RealElements elements;

  public ApplyUpdate(UpdateRule rule, UpdateInputs inputs, VariableInput variables, DataType type) {
    this.elements = RealElements.of(type);
    this.rule = rule;
    this.inputs = inputs;
    this.variables = variables;
    this.type = type;
  }

  @Override
  public void compute(KernelContext context) {
    VariableResource[] state = new VariableResource[inputs.stateCount()];
    for (int i = 0; i < state.length; i++) {
      state[i] = variables.variable(context, i, type);
    }
    double[] scalars = scalars(context);
    if (inputs.isSparse()) {
      rule.checkSparse(scalars);
    }
    Tensor gradient = context.input(inputs.gradient());
    try (VariableResource.Locked locked = VariableResource.lock(state)) {
      Shape shape = sharedShape(locked, state);
      if (inputs.isSparse()) {
        Tensor indices = context.input(inputs.indices());
        requireRows(shape, gradient.shape(), indices.shape());
        RowIndices.requireInRange(indices, shape.size(0));
        applyRows(addresses(locked, state, context), shape, gradient, indices, scalars);
      } else {
        inputs.requireSameShape(inputs.gradient(), shape, gradient.shape());
        apply(
            addresses(locked, state, context),
            0,
            gradient.storage().address(),
            gradient.elementCount(),
            scalars);
      }
    }
    variables.passOn(context, state[0]);
  }

  private void applyRows(
      long[] state, Shape shape, Tensor gradient, Tensor indices, double[] scalars) {
    long row = shape.slice(1, shape.rank()).elementCount();
    for (long i = 0; i < indices.elementCount(); i++) {
      apply(
          state,
          indices.getIndex(i) * row,
          gradient.storage().address() + i * row * type.size(),
          row,
          scalars);
    }
  }

  /**
   * Applies the rule to {@code count} elements, which begin at element {@code first} of the state.
   */
  private void apply(long[] state, long first, long gradient, long count, double[] scalars) {
    Workspace workspace = Workspace.own(type);
    int size = type.size();
    for (long at = 0; at < count; at += Tile.LENGTH) {
      int length = (int) Math.min(Tile.LENGTH, count - at);
      workspace.load(state, (first + at) * size, gradient + at * size, length);
      rule.apply(workspace.state, workspace.gradient, scalars, workspace.scratch);
      workspace.store(state, (first + at) * size);
    }
  }

  private static long[] addresses(
      VariableResource.Locked locked, VariableResource[] state, KernelContext context) {
    long[] addresses = new long[state.length];
    for (int i = 0; i < state.length; i++) {
      addresses[i] = locked.writable(state[i], context.allocator()).storage().address();
    }
    return addresses;
  }

  private double[] scalars(KernelContext context) {
    double[] scalars = new double[inputs.scalarCount()];
    for (int i = 0; i < scalars.length; i++) {
      Tensor value = context.input(inputs.scalar(i));
      if (value.rank() != 0) {
        throw TributaryException.invalidArgument(
            "%s is not a scalar: %s", inputs.name(inputs.scalar(i)), value.shape());
      }
      scalars[i] =
          value.type() == DataType.INT64
              ? value.longValue()
              : elements.get(value.storage().address());
    }
    return scalars;
  }

  private Shape sharedShape(VariableResource.Locked locked, VariableResource[] state) {
    Shape shape = locked.value(state[0]).shape();
    for (int i = 1; i < state.length; i++) {
      inputs.requireSameShape(i, shape, locked.value(state[i]).shape());
    }
    return shape;
  }

  private static void requireRows(Shape variable, Shape gradient, Shape indices) {
    if (variable.rank() < 1) {
      throw TributaryException.invalidArgument(
          "var must be at least 1 dimensional, got shape %s", variable);
    }
    if (indices.rank() != 1) {
      throw TributaryException.invalidArgument(
          "indices must be one-dimensional, got shape %s", indices);
    }
    if (!gradient.equals(indices.concatenate(variable.slice(1, variable.rank())))) {
      throw TributaryException.invalidArgument(
          "grad must have a row of var for each index: got grad %s, indices %s, var %s",
          gradient, indices, variable);
    }
  }
}
