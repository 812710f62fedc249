package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ResponseNormGeometry;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/** Local response normalisation over the last dimension of images, and its gradient. */
public final class ResponseNormKernel {
  private final int radius;
  private final float bias;
  private final float alpha;
  private final float beta;

  public ResponseNormKernel(KernelNode node) {
    ElementTypes.requireReal(node.type());
    Attributes attributes = node.attributes();
    radius = attributes.int32("depth_radius");
    bias = attributes.real("bias");
    alpha = attributes.real("alpha");
    beta = attributes.real("beta");
  }

  public void forward(KernelContext context) {
    Tensor image = context.input(0);
    WindowSpec.requireImage("input", image.shape());
    Tensor output = context.allocateOutput(0, image.shape());
    if (image.elementCount() > 0) {
      context
          .device()
          .backend()
          .localResponseNorm(
              geometry(image), image.storage().address(), output.storage().address());
    }
  }

  /** Inputs: gradient of the result, image, result. */
  public void gradient(KernelContext context) {
    Tensor gradient = context.input(0);
    Tensor image = context.input(1);
    Tensor result = context.input(2);
    WindowSpec.requireImage("input_image", image.shape());
    Shape shape = image.shape();
    if (!gradient.shape().equals(shape) || !result.shape().equals(shape)) {
      throw TributaryException.invalidArgument(
          "input_grads, input_image and output_image must have the same shape, got %s, %s and %s",
          gradient.shape(), shape, result.shape());
    }
    Tensor output = context.allocateOutput(0, shape);
    if (image.elementCount() > 0) {
      context
          .device()
          .backend()
          .localResponseNormGradient(
              geometry(image),
              image.storage().address(),
              result.storage().address(),
              gradient.storage().address(),
              output.storage().address());
    }
  }

  private ResponseNormGeometry geometry(Tensor image) {
    long channels = image.shape().size(-1);
    long pixels = image.elementCount() / channels;
    return new ResponseNormGeometry(image.type(), pixels, channels, radius, bias, alpha, beta);
  }
}
