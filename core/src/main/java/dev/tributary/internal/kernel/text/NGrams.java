package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.ragged.RowPartition;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;

/**
 * Joins each few neighbours of a row of strings, with padding at its ends. If no row has a string,
 * there is no padding either.
 */
public final class NGrams implements Kernel {
  /** No n-gram is wider, so that no attribute asks for more memory than there is. */
  private static final long WIDTH_LIMIT = 1 << 20;

  private final byte[] separator;
  private final byte[] leftPad;
  private final byte[] rightPad;
  private final long[] widths;
  private final long padWidth;
  private final boolean preserveShort;

  public NGrams(KernelNode node) {
    Attributes attributes = node.attributes();
    separator = ElementStrings.attribute(node, "separator");
    leftPad = ElementStrings.attribute(node, "left_pad");
    rightPad = ElementStrings.attribute(node, "right_pad");
    widths = attributes.integers("ngram_widths");
    padWidth = attributes.integer("pad_width");
    preserveShort = attributes.bool("preserve_short_sequences");
    for (long width : widths) {
      if (width <= 0 || width > WIDTH_LIMIT) {
        throw TributaryException.invalidArgument(
            "ngram_widths must contain values from 1 to %d, got %d", WIDTH_LIMIT, width);
      }
    }
    if (padWidth > WIDTH_LIMIT) {
      throw TributaryException.invalidArgument(
          "pad_width must be at most %d, got %d", WIDTH_LIMIT, padWidth);
    }
  }

  /** The greatest number of strings of padding at an end of an n-gram. */
  private long padding(long width) {
    return Math.min(padWidth < 0 ? width - 1 : padWidth, width - 1);
  }

  private long count(long length, long width) {
    return Math.max(0, length + 2 * padding(width) - width + 1);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor data = context.input(0);
    if (data.rank() != 1) {
      throw TributaryException.invalidArgument("data must be a vector, got %s", data.shape());
    }
    RowPartition rows = RowPartition.ofSplits(context.input(1));
    if (rows.items() != data.elementCount()) {
      throw TributaryException.invalidArgument(
          "Last split value must be data size. Expected %d, got %d",
          data.elementCount(), rows.items());
    }
    long[] splits = new long[rows.rows() + 1];
    for (int row = 0; row < rows.rows() && rows.items() > 0; row++) {
      splits[row + 1] = ArrayLength.of(splits[row] + ofRow(rows.end(row) - rows.start(row)));
    }
    IndexTensors.setVector(context, 1, splits);
    Object[] grams = context.allocateOutput(0, Shape.of(splits[rows.rows()])).objects();
    Object[] strings = data.objects();
    int next = 0;
    for (int row = 0; row < rows.rows() && rows.items() > 0; row++) {
      int start = (int) rows.start(row);
      long length = rows.end(row) - rows.start(row);
      int before = next;
      for (long width : widths) {
        long count = count(length, width);
        for (long i = 0; i < count; i++) {
          grams[next++] = gram(strings, start, width, i, count);
        }
      }
      if (next == before && splits[row + 1] > splits[row]) {
        grams[next++] = gram(strings, start, length + 2 * Math.max(0, padWidth), 0, 1);
      }
    }
  }

  private long ofRow(long length) {
    long count = 0;
    for (long width : widths) {
      count = ArrayLength.of(count + count(length, width));
    }
    return count == 0 && preserveShort && length > 0 ? 1 : count;
  }

  private byte[] gram(Object[] strings, int start, long width, long number, long count) {
    long padding = padding(width);
    long left = Math.max(0, padding - number);
    long right = Math.max(0, padding - (count - number - 1));
    long tokens = width - left - right;
    int first = start + (int) (left > 0 ? 0 : number - padding);
    ByteArrayOutputStream gram = new ByteArrayOutputStream();
    for (long i = 0; i < width; i++) {
      if (i > 0) {
        gram.writeBytes(separator);
      }
      boolean token = i >= left && i < left + tokens;
      gram.writeBytes(
          token ? (byte[]) strings[first + (int) (i - left)] : i < left ? leftPad : rightPad);
    }
    return gram.toByteArray();
  }
}
