package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.SliceSpec;
import dev.tributary.internal.kernel.array.Slicing;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Optional;

/** Ops that cut rectangular parts out of tensors. */
abstract sealed class SliceOps extends IndexOps permits JoinOps {
  SliceOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("Slice")
            .input("input: T")
            .input("begin: Index")
            .input("size: Index")
            .output("output: T")
            .attr("T: type")
            .attr("Index: {int32, int64}")
            .shape(SliceOps::sliceShape)
            .value(SliceOps::sliceValue)
            .kernel(node -> Slicing::slice)
            .grad(SliceOps::sliceGradient),
        masked(
                op("StridedSlice")
                    .input("input: T")
                    .input("begin: Index")
                    .input("end: Index")
                    .input("strides: Index")
                    .output("output: T")
                    .attr("T: type")
                    .attr("Index: {int16, int32, int64}"))
            .shape(SliceOps::stridedShape)
            .value(SliceOps::stridedValue)
            .kernel(
                node -> {
                  SliceSpec.Masks masks = masks(node.attributes());
                  return c -> Slicing.strided(c, masks);
                })
            .grad(
                (tf, op, dy) -> {
                  Output shape = tf.array.shape(op.input(0), op.input(1).type());
                  GradientValue none = GradientValue.none();
                  return List.of(tf.array.stridedSliceGrad(shape, op, dy), none, none, none);
                }),
        masked(
                op("StridedSliceGrad")
                    .input("shape: Index")
                    .input("begin: Index")
                    .input("end: Index")
                    .input("strides: Index")
                    .input("dy: T")
                    .output("output: T")
                    .attr("T: type")
                    .attr("Index: {int32, int64}"))
            .shape(c -> c.output(0, c.knownShape(0)))
            .kernel(
                node -> {
                  SliceSpec.Masks masks = masks(node.attributes());
                  return c -> Slicing.stridedGradient(c, masks);
                })
            .grad(
                (tf, op, dy) -> {
                  GradientValue none = GradientValue.none();
                  SliceSpec.Masks masks = masks(op.attributes());
                  Output part =
                      tf.array.stridedSlice(dy, op.input(1), op.input(2), op.input(3), masks);
                  return List.of(none, none, none, none, part);
                }));
  }

  /** The part of {@code size} that starts at {@code begin}; a size of -1 takes all that is left. */
  public Output slice(Operand input, Operand begin, Operand size) {
    return scope.operation("Slice").input(input).input(begin).input(size).buildOutput();
  }

  Output slice(Operand input, int[] begin, int[] size) {
    return slice(input, constant(begin), constant(size));
  }

  /**
   * The elements from {@code begin} (inclusive) to {@code end} (exclusive) in steps of {@code
   * strides}, as far as the masks do not say otherwise.
   */
  public Output stridedSlice(
      Operand input, Operand begin, Operand end, Operand strides, SliceMasks masks) {
    return stridedSlice(input, begin, end, strides, masks.toSpec());
  }

  Output stridedSlice(
      Operand input, Operand begin, Operand end, Operand strides, SliceSpec.Masks masks) {
    return withMasks(
            scope.operation("StridedSlice").input(input).input(begin).input(end).input(strides),
            masks)
        .buildOutput();
  }

  /**
   * The elements from {@code begin} (inclusive) to {@code end} (exclusive) of the leading
   * dimensions.
   */
  public Output stridedSlice(Operand input, int[] begin, int[] end, int[] strides) {
    return stridedSlice(
        input, constant(begin), constant(end), constant(strides), SliceMasks.none());
  }

  /**
   * The part at an index of the leading dimensions, which vanish; negative indices count from the
   * end.
   */
  public Output at(Operand input, int... index) {
    int[] end = new int[index.length];
    int[] strides = new int[index.length];
    for (int i = 0; i < index.length; i++) {
      end[i] = index[i] + 1;
      strides[i] = 1;
    }
    long all = (1L << index.length) - 1;
    SliceMasks masks = SliceMasks.none().withShrinkAxis(all);
    return stridedSlice(input, constant(index), constant(end), constant(strides), masks);
  }

  /**
   * {@code dy} in zeros of the given shape, where the StridedSlice {@code slice} took its values
   * from.
   */
  Output stridedSliceGrad(Operand shape, Operation slice, Operand dy) {
    OperationBuilder gradient =
        scope
            .operation("StridedSliceGrad")
            .input(shape)
            .input(slice.input(1))
            .input(slice.input(2))
            .input(slice.input(3))
            .input(dy);
    return withMasks(gradient, masks(slice.attributes())).buildOutput();
  }

  private Output constant(int... values) {
    return scope
        .operation("Const")
        .attrTaking("value", Tensor.of(values))
        .attr("dtype", DataType.INT32)
        .buildOutput();
  }

  static Declaration masked(Declaration declaration) {
    return declaration
        .attr("begin_mask: int = 0")
        .attr("end_mask: int = 0")
        .attr("ellipsis_mask: int = 0")
        .attr("new_axis_mask: int = 0")
        .attr("shrink_axis_mask: int = 0");
  }

  static SliceSpec.Masks masks(Attributes attributes) {
    return new SliceSpec.Masks(
        attributes.integer("begin_mask"),
        attributes.integer("end_mask"),
        attributes.integer("ellipsis_mask"),
        attributes.integer("new_axis_mask"),
        attributes.integer("shrink_axis_mask"));
  }

  static OperationBuilder withMasks(OperationBuilder builder, SliceSpec.Masks masks) {
    return builder
        .attr("begin_mask", masks.begin())
        .attr("end_mask", masks.end())
        .attr("ellipsis_mask", masks.ellipsis())
        .attr("new_axis_mask", masks.newAxis())
        .attr("shrink_axis_mask", masks.shrinkAxis());
  }

  private static void sliceShape(InferenceContext context) {
    Shape begin = context.withRank(1, 1);
    Shape size = context.withRank(2, 1);
    Shape input = context.input(0);
    Optional<long[]> begins = KnownValues.complete(context, 1);
    Optional<long[]> sizes = KnownValues.complete(context, 2);
    if (input.hasRank() && begins.isPresent() && sizes.isPresent()) {
      context.output(0, Slicing.sliced(input, begins.get(), sizes.get()));
    } else if (sizes.isPresent()) {
      context.output(0, context.knownShape(2));
    } else {
      int rank = Math.max(input.rank(), (int) Math.max(begin.size(0), size.size(0)));
      context.output(0, rank < 0 ? Shape.unknown() : Shape.ofRank(rank));
    }
  }

  private static Optional<KnownValue> sliceValue(InferenceContext context) {
    Optional<KnownValue> input = context.known(0).filter(value -> !value.isScalar());
    Optional<long[]> begin = KnownValues.complete(context, 1);
    Optional<long[]> size = KnownValues.complete(context, 2);
    if (input.isEmpty() || begin.isEmpty() || size.isEmpty()) {
      return Optional.empty();
    }
    long[] elements = input.get().elements();
    long length = Slicing.sliced(Shape.of(elements.length), begin.get(), size.get()).size(0);
    return KnownValues.pick(elements, begin.get()[0], 1, length);
  }

  private static void stridedShape(InferenceContext context) {
    context.withRank(1, 1);
    context.withRank(2, 1);
    context.withRank(3, 1);
    if (context.input(0).hasRank()) {
      spec(context).ifPresent(spec -> context.output(0, spec.result()));
    }
  }

  private static Optional<SliceSpec> spec(InferenceContext context) {
    Optional<KnownValue> begin = KnownValues.of(context, 1);
    Optional<KnownValue> end = KnownValues.of(context, 2);
    Optional<long[]> strides = KnownValues.complete(context, 3);
    if (begin.isEmpty() || end.isEmpty() || strides.isEmpty()) {
      return Optional.empty();
    }
    SliceSpec.Masks masks = masks(context.attributes());
    return Optional.of(
        SliceSpec.of(
            context.input(0), begin.get().elements(), end.get().elements(), strides.get(), masks));
  }

  private static Optional<KnownValue> stridedValue(InferenceContext context) {
    Optional<KnownValue> input = context.known(0).filter(value -> !value.isScalar());
    Optional<SliceSpec> spec = input.isEmpty() ? Optional.empty() : spec(context);
    if (spec.isEmpty() || spec.get().result().rank() > 1 || !spec.get().isLocated()) {
      return Optional.empty();
    }
    long[] elements = input.get().elements();
    if (spec.get().result().isScalar()) {
      long element = elements[(int) spec.get().begin(0)];
      return element == KnownValue.UNKNOWN
          ? Optional.empty()
          : Optional.of(KnownValue.scalar(element));
    }
    return KnownValues.pick(
        elements, spec.get().begin(0), spec.get().stride(0), spec.get().size(0));
  }

  private static List<GradientValue> sliceGradient(Ops tf, Operation op, Output dy) {
    Output begin = op.input(1);
    Output whole = tf.array.shape(op.input(0), begin.type());
    Output part = tf.array.shape(op.output(0), begin.type());
    Scope scope = tf.scope();
    Output rest = scope.operation("Sub").input(whole).input(part).buildOutput();
    Output after = scope.operation("Sub").input(rest).input(begin).buildOutput();
    Output paddings = tf.array.pack(List.of(begin, after), 1);
    Output padded = scope.operation("Pad").input(dy).input(paddings).buildOutput();
    return List.of(padded, GradientValue.none(), GradientValue.none());
  }
}
