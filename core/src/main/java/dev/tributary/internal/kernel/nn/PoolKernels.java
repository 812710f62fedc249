package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.PoolGeometry;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * Pooling and its gradients. Float and double go to the backend, integers to {@link WindowMaxima}.
 */
public final class PoolKernels {
  private PoolKernels() {}

  /** Input: image. */
  public static void max(KernelContext context, PoolSpec spec) {
    Tensor image = context.input(0);
    PoolGeometry geometry = spec.geometry(image.shape());
    Tensor output = context.allocateOutput(0, spec.output(image.shape()));
    if (output.elementCount() == 0) {
      return;
    }
    if (ElementTypes.isReal(image.type())) {
      context
          .device()
          .backend()
          .maxPool(image.type(), geometry, image.storage().address(), output.storage().address());
    } else {
      WindowMaxima.pool(
          image.type(), geometry, image.storage().address(), output.storage().address());
    }
  }

  /** Inputs: image, pooled image, gradient of the latter. */
  public static void maxGradient(KernelContext context, PoolSpec spec) {
    Tensor image = context.input(0);
    Tensor gradient = context.input(2);
    PoolGeometry geometry = spec.geometry(image.shape());
    require("orig_output", context.input(1), spec.output(image.shape()));
    require("grad", gradient, spec.output(image.shape()));
    Tensor output = context.allocateOutput(0, image.shape());
    if (output.elementCount() == 0) {
      return;
    }
    if (ElementTypes.isReal(image.type())) {
      context
          .device()
          .backend()
          .maxPoolGradient(
              image.type(),
              geometry,
              image.storage().address(),
              gradient.storage().address(),
              output.storage().address());
    } else {
      WindowMaxima.gradient(
          image.type(),
          geometry,
          image.storage().address(),
          gradient.storage().address(),
          output.storage().address());
    }
  }

  /** Inputs: image, pooled image, gradient of the first gradient. */
  public static void maxSecondGradient(KernelContext context, PoolSpec spec) {
    Tensor image = context.input(0);
    Tensor pooled = context.input(1);
    Tensor gradient = context.input(2);
    PoolGeometry geometry = spec.geometry(image.shape());
    require("orig_output", pooled, spec.output(image.shape()));
    require("grad", gradient, image.shape());
    Tensor output = context.allocateOutput(0, pooled.shape());
    WindowMaxima.secondGradient(
        image.type(),
        geometry,
        image.storage().address(),
        pooled.storage().address(),
        gradient.storage().address(),
        output.storage().address());
  }

  /** Input: image. */
  public static void average(KernelContext context, PoolSpec spec) {
    Tensor image = context.input(0);
    PoolGeometry geometry = spec.geometry(image.shape());
    Tensor output = context.allocateOutput(0, spec.output(image.shape()));
    if (output.elementCount() > 0) {
      context
          .device()
          .backend()
          .averagePool(
              image.type(), geometry, image.storage().address(), output.storage().address());
    }
  }

  /** Inputs: sizes of the image, gradient of the pooled image. */
  public static void averageGradient(KernelContext context, PoolSpec spec) {
    Shape image = IndexTensors.toShape(context.input(0));
    Tensor gradient = context.input(1);
    PoolGeometry geometry = spec.geometry(image);
    require("grad", gradient, spec.output(image));
    Tensor output = context.allocateOutput(0, image);
    if (output.elementCount() > 0) {
      context
          .device()
          .backend()
          .averagePoolGradient(
              gradient.type(), geometry, gradient.storage().address(), output.storage().address());
    }
  }

  private static void require(String what, Tensor tensor, Shape wanted) {
    if (!tensor.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "%s must have shape %s, got %s", what, wanted, tensor.shape());
    }
  }
}
