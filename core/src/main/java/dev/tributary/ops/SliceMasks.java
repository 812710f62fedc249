package dev.tributary.ops;

import dev.tributary.internal.kernel.array.SliceSpec;

/**
 * The bit masks of a {@linkplain SliceOps#stridedSlice strided slice}; bit {@code i} is about entry
 * {@code i} of begin, end and strides. Immutable.
 *
 * @param begin entries that start at the first element, whatever their begin
 * @param end entries that go to the last element, whatever their end
 * @param ellipsis the one entry, if any, that stands for all dimensions not named by others
 * @param newAxis entries that add a dimension of size 1
 * @param shrinkAxis entries that take the single element at begin, and remove the dimension
 */
public record SliceMasks(long begin, long end, long ellipsis, long newAxis, long shrinkAxis) {
  /** Returns masks without any bit. */
  public static SliceMasks none() {
    return new SliceMasks(0, 0, 0, 0, 0);
  }

  public SliceMasks withBegin(long mask) {
    return new SliceMasks(mask, end, ellipsis, newAxis, shrinkAxis);
  }

  public SliceMasks withEnd(long mask) {
    return new SliceMasks(begin, mask, ellipsis, newAxis, shrinkAxis);
  }

  public SliceMasks withEllipsis(long mask) {
    return new SliceMasks(begin, end, mask, newAxis, shrinkAxis);
  }

  public SliceMasks withNewAxis(long mask) {
    return new SliceMasks(begin, end, ellipsis, mask, shrinkAxis);
  }

  public SliceMasks withShrinkAxis(long mask) {
    return new SliceMasks(begin, end, ellipsis, newAxis, mask);
  }

  /** The same for a kernel. */
  SliceSpec.Masks toSpec() {
    return new SliceSpec.Masks(begin, end, ellipsis, newAxis, shrinkAxis);
  }
}
