package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** The kernels of pooling over volumes, of its gradients, and of ExtractVolumePatches. */
public final class VolumePooling {
  /** The distance from the largest element within which another counts as the largest, too. */
  private static final double SAME = 1e-5;

  private final VolumePoolSpec spec;
  private final RealElements elements;

  private VolumePooling(KernelNode node) {
    this.spec = VolumePoolSpec.of(node.attributes(), "ksize");
    this.elements = RealElements.of(node.type());
    spec.requireChannelsLast();
  }

  /** Input: volume. */
  public static Kernel max(KernelNode node) {
    return new VolumePooling(node)::max;
  }

  /** Inputs: volume, pooled volume, gradient of the latter. */
  public static Kernel maxGradient(KernelNode node) {
    if (node.attributes().type("TInput") != node.type()) {
      throw TributaryException.unimplemented(
          "no kernel for volumes of type %s with gradients of type %s; both must be the same",
          node.attributes().type("TInput").lowerName(), node.type().lowerName());
    }
    return new VolumePooling(node)::maxGradient;
  }

  /** Inputs: volume, pooled volume, gradient of the first gradient. */
  public static Kernel maxSecondGradient(KernelNode node) {
    return new VolumePooling(node)::maxSecondGradient;
  }

  /** Input: volume. */
  public static Kernel average(KernelNode node) {
    return new VolumePooling(node)::average;
  }

  /** Inputs: sizes of the volume, gradient of the pooled volume. */
  public static Kernel averageGradient(KernelNode node) {
    return new VolumePooling(node)::averageGradient;
  }

  /** Input: volume. The result has the elements under each window side by side. */
  public static Kernel patches(KernelNode node) {
    VolumePoolSpec spec = VolumePoolSpec.of(node.attributes(), "ksizes");
    return context -> {
      Tensor volume = context.input(0);
      VolumeSpec.requireVolume("input", volume.shape());
      Tensor output = context.allocateOutput(0, spec.patches(volume.shape()));
      if (output.elementCount() > 0) {
        VolumeWindows windows = spec.windows(volume.shape());
        windows.copy(volume, output.storage().address(), 0, windows.rows());
      }
    };
  }

  private void max(KernelContext context) {
    Tensor volume = context.input(0);
    Tensor output = context.allocateOutput(0, pooled(volume.shape()));
    long pixel = volume.shape().size(4) * elements.size();
    for (long i = 0; i < output.byteSize(); i += elements.size()) {
      elements.put(output.storage().address() + i, Double.NEGATIVE_INFINITY);
    }
    forEachPair(
        volume.shape(),
        output,
        (from, to) -> {
          long in = volume.storage().address() + from * pixel;
          long out = output.storage().address() + to * pixel;
          for (long c = 0; c < pixel; c += elements.size()) {
            elements.put(out + c, Math.max(elements.get(out + c), elements.get(in + c)));
          }
        });
  }

  private void maxGradient(KernelContext context) {
    Tensor volume = context.input(0);
    Tensor pooled = context.input(1);
    Tensor gradient = context.input(2);
    require("orig_output", pooled, pooled(volume.shape()));
    require("grad", gradient, pooled.shape());
    Tensor output = context.allocateOutput(0, volume.shape());
    Fill.zeros(output);
    long pixel = volume.shape().size(4) * elements.size();
    forEachPair(
        volume.shape(),
        gradient,
        (to, from) -> {
          long in = volume.storage().address() + to * pixel;
          long largest = pooled.storage().address() + from * pixel;
          for (long c = 0; c < pixel; c += elements.size()) {
            if (Math.abs(elements.get(in + c) - elements.get(largest + c)) < SAME) {
              elements.add(
                  output.storage().address() + to * pixel + c,
                  elements.get(gradient.storage().address() + from * pixel + c));
            }
          }
        });
  }

  private void maxSecondGradient(KernelContext context) {
    Tensor volume = context.input(0);
    Tensor pooled = context.input(1);
    Tensor gradient = context.input(2);
    require("orig_output", pooled, pooled(volume.shape()));
    require("grad", gradient, volume.shape());
    Tensor output = context.allocateOutput(0, pooled.shape());
    Fill.zeros(output);
    int channels = ArrayLength.of(volume.shape().size(4));
    long pixel = (long) channels * elements.size();
    long[] found = new long[channels];
    Arrays.fill(found, -1);
    forEachPair(
        volume.shape(),
        output,
        (from, to) -> {
          long in = volume.storage().address() + from * pixel;
          long out = to * pixel;
          for (int c = 0; c < channels; c++) {
            long offset = (long) c * elements.size();
            // Of equal elements the first counts.
            if (found[c] < to
                && elements.get(in + offset)
                    == elements.get(pooled.storage().address() + out + offset)) {
              found[c] = to;
              elements.put(
                  output.storage().address() + out + offset,
                  elements.get(gradient.storage().address() + from * pixel + offset));
            }
          }
        });
  }

  private void average(KernelContext context) {
    Tensor volume = context.input(0);
    Tensor output = context.allocateOutput(0, pooled(volume.shape()));
    Fill.zeros(output);
    long pixel = volume.shape().size(4) * elements.size();
    VolumeWindows windows = spec.windows(volume.shape());
    forEachPair(
        volume.shape(),
        output,
        (from, to) -> {
          double inside = windows.inside(to);
          long in = volume.storage().address() + from * pixel;
          long out = output.storage().address() + to * pixel;
          for (long c = 0; c < pixel; c += elements.size()) {
            elements.put(out + c, elements.get(out + c) + elements.get(in + c) / inside);
          }
        });
  }

  private void averageGradient(KernelContext context) {
    Shape volume = IndexTensors.toShape(context.input(0));
    Tensor gradient = context.input(1);
    require("grad", gradient, pooled(volume));
    Tensor output = context.allocateOutput(0, volume);
    Fill.zeros(output);
    long pixel = volume.size(4) * elements.size();
    VolumeWindows windows = spec.windows(volume);
    forEachPair(
        volume,
        gradient,
        (to, from) -> {
          double inside = windows.inside(from);
          long in = gradient.storage().address() + from * pixel;
          long out = output.storage().address() + to * pixel;
          for (long c = 0; c < pixel; c += elements.size()) {
            elements.add(out + c, elements.get(in + c) / inside);
          }
        });
  }

  /** A pixel of a volume, and a pixel of the pooled volume whose window has it. */
  @FunctionalInterface
  private interface Pair {
    void accept(long pixel, long result);
  }

  private void forEachPair(Shape volume, Tensor results, Pair pair) {
    if (results.elementCount() == 0) {
      return;
    }
    spec.windows(volume).forEachInside((result, pixel) -> pair.accept(pixel, result));
  }

  private Shape pooled(Shape volume) {
    VolumeSpec.requireVolume("input", volume);
    return spec.output(volume);
  }

  private static void require(String what, Tensor tensor, Shape wanted) {
    if (!tensor.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "%s must have shape %s, got %s", what, wanted, tensor.shape());
    }
  }
}
