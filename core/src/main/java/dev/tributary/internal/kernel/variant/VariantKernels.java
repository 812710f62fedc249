package dev.tributary.internal.kernel.variant;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.OptionalTensors;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.tensor.TensorList;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Zeros and sums of variants, which gradients need, and the kernels of optionals. */
public final class VariantKernels {
  private VariantKernels() {}

  // ---- zeros and sums ----

  public static void zerosLike(KernelContext c) {
    c.setOutput(0, zerosLike(c, c.input(0)));
  }

  private static Tensor zerosLike(KernelContext c, Tensor like) {
    if (like.type() != DataType.VARIANT) {
      return SharedTensors.zeros(c.allocator(), like.type(), like.shape());
    }
    Object value = scalar(like, "ZerosLike");
    if (value instanceof TensorList list) {
      return zerosLike(c, list);
    }
    if (value instanceof OptionalTensors optional) {
      return scalar(
          optional
              .components()
              .map(all -> collect(all.size(), i -> zerosLike(c, all.get(i))))
              .orElseGet(OptionalTensors::none));
    }
    throw TributaryException.invalidArgument(
        "ZerosLike takes variants that are lists or optionals, got: '%s'", Variant.describe(value));
  }

  /** Elements that are not set stay so. */
  private static Tensor zerosLike(KernelContext c, TensorList like) {
    TensorList zeros =
        new TensorList(like.elementType(), like.elementShape(), TensorList.UNLIMITED);
    Tensor result = scalar(zeros);
    try {
      zeros.resize(like.size());
      for (int i = 0; i < like.size(); i++) {
        if (like.isSet(i)) {
          TensorListKernels.set(zeros, i, zerosLike(c, like.get(i)));
        }
      }
      return result;
    } catch (RuntimeException e) {
      result.close();
      throw e;
    }
  }

  /** The sum of all inputs, variants. */
  public static void addN(KernelContext c) {
    Tensor sum = c.input(0).retain();
    try {
      for (int i = 1; i < c.inputCount(); i++) {
        Tensor next = sum(c, sum, c.input(i));
        sum.close();
        sum = next;
      }
    } catch (RuntimeException e) {
      sum.close();
      throw e;
    }
    c.setOutput(0, sum);
  }

  private static Tensor sum(KernelContext c, Tensor a, Tensor b) {
    if (a.type() != DataType.VARIANT) {
      return numericSum(c, a, b);
    }
    Object left = scalar(a, "AddN");
    Object right = scalar(b, "AddN");
    if (left instanceof TensorList x && right instanceof TensorList y) {
      return sum(c, x, y);
    }
    if (left instanceof OptionalTensors x && right instanceof OptionalTensors y) {
      return scalar(sum(c, x, y));
    }
    throw TributaryException.invalidArgument(
        "AddN takes variants that are all lists or all optionals, got: '%s' and '%s'",
        Variant.describe(left), Variant.describe(right));
  }

  private static Tensor numericSum(KernelContext c, Tensor a, Tensor b) {
    if (!a.shape().equals(b.shape())) {
      throw TributaryException.invalidArgument(
          "Trying to add two tensors with incompatible element shapes. One is %s and the other is"
              + " %s",
          a.shape(), b.shape());
    }
    Arithmetic.ADD.requireSupport(a.type());
    Tensor sum = c.allocate(a.type(), a.shape());
    c.device()
        .backend()
        .elementWise(
            Arithmetic.ADD,
            a.type(),
            Broadcast.of(a.shape(), a.shape()),
            a.storage().address(),
            b.storage().address(),
            sum.storage().address());
    return sum;
  }

  /** An element that is set in one list only is the sum. */
  private static Tensor sum(KernelContext c, TensorList a, TensorList b) {
    requireSame(a, b);
    TensorList list = a.copyAs(a.elementShape().merge(b.elementShape()));
    Tensor result = scalar(list);
    try {
      for (int i = 0; i < b.size(); i++) {
        if (b.isSet(i)) {
          Tensor element = a.isSet(i) ? sum(c, a.get(i), b.get(i)) : b.get(i).retain();
          TensorListKernels.set(list, i, element);
        }
      }
      return result;
    } catch (RuntimeException e) {
      result.close();
      throw e;
    }
  }

  private static void requireSame(TensorList a, TensorList b) {
    if (a.elementType() != b.elementType()) {
      throw TributaryException.invalidArgument(
          "Trying to add two lists of tensors of different dtypes. One is %s and the other is %s",
          a.elementType().lowerName(), b.elementType().lowerName());
    }
    if (!a.elementShape().isCompatibleWith(b.elementShape())) {
      throw TributaryException.invalidArgument(
          "Trying to add two lists of tensors with incompatible element shapes. One is %s and the"
              + " other is %s",
          a.elementShape(), b.elementShape());
    }
    if (a.size() != b.size()) {
      throw TributaryException.invalidArgument(
          "Trying to add two lists of tensors with different lengths. One is %d and the other is"
              + " %d",
          a.size(), b.size());
    }
  }

  private static OptionalTensors sum(KernelContext c, OptionalTensors a, OptionalTensors b) {
    Optional<List<Tensor>> left = a.components();
    Optional<List<Tensor>> right = b.components();
    if (left.isEmpty() && right.isEmpty()) {
      return OptionalTensors.none();
    }
    if (left.isEmpty() || right.isEmpty()) {
      throw TributaryException.invalidArgument(
          "Cannot add optionals because one has a value and the other doesn't.");
    }
    List<Tensor> x = left.get();
    List<Tensor> y = right.get();
    if (x.size() != y.size()) {
      throw TributaryException.invalidArgument(
          "Cannot add optionals because they have different sizes: %d and %d", x.size(), y.size());
    }
    for (int i = 0; i < x.size(); i++) {
      if (x.get(i).type() != y.get(i).type()) {
        throw TributaryException.invalidArgument(
            "Cannot add optionals because component %d is %s and %s",
            i, x.get(i).type().lowerName(), y.get(i).type().lowerName());
      }
    }
    return collect(x.size(), i -> sum(c, x.get(i), y.get(i)));
  }

  // ---- optionals ----

  public static void optionalFromValue(KernelContext c) {
    c.setOutput(0, scalar(collect(c.inputCount(), i -> c.input(i).retain())));
  }

  public static void optionalNone(KernelContext c) {
    c.setOutput(0, scalar(OptionalTensors.none()));
  }

  public static void optionalHasValue(KernelContext c) {
    c.setOutput(0, Tensor.scalar(optional(c).components().isPresent()));
  }

  public static Kernel optionalGetValue(KernelNode node) {
    List<DataType> types = node.outputTypes();
    List<Shape> shapes = node.attributes().shapes("output_shapes");
    return c -> {
      List<Tensor> components =
          optional(c)
              .components()
              .orElseThrow(
                  () ->
                      TributaryException.invalidArgument(
                          "The given optional does not have a value."));
      if (components.size() != types.size() || shapes.size() != types.size()) {
        throw TributaryException.invalidArgument(
            "The given optional has %d components, expected %d.", components.size(), types.size());
      }
      for (int i = 0; i < types.size(); i++) {
        Tensor component = components.get(i);
        if (component.type() != types.get(i)
            || !shapes.get(i).isCompatibleWith(component.shape())) {
          throw TributaryException.invalidArgument(
              "The given optional does not match: component %d is %s %s, expected %s %s.",
              i,
              component.type().lowerName(),
              component.shape(),
              types.get(i).lowerName(),
              shapes.get(i));
        }
      }
      for (int i = 0; i < types.size(); i++) {
        c.setOutput(i, components.get(i).retain());
      }
    };
  }

  private static OptionalTensors optional(KernelContext c) {
    if (scalar(c.input(0), "an optional") instanceof OptionalTensors optional) {
      return optional;
    }
    throw TributaryException.invalidArgument(
        "The given variant does not hold an optional. Saw: '%s'",
        Variant.describe(c.input(0).objects()[0]));
  }

  // ---- shared ----

  /** Makes the component of an optional with this index. */
  private interface Component {
    Tensor make(int i);
  }

  private static OptionalTensors collect(int count, Component component) {
    List<Tensor> made = new ArrayList<>(count);
    try {
      for (int i = 0; i < count; i++) {
        made.add(component.make(i));
      }
      return OptionalTensors.of(made);
    } catch (RuntimeException e) {
      made.forEach(Tensor::close);
      throw e;
    }
  }

  private static Tensor scalar(Variant value) {
    return Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), value);
  }

  private static Object scalar(Tensor variant, String op) {
    if (variant.rank() != 0) {
      throw TributaryException.invalidArgument(
          "%s of a variant takes a scalar, but the tensor has shape %s", op, variant.shape());
    }
    return variant.objects()[0];
  }
}
