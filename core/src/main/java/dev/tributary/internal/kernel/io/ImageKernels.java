package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.image.JpegImages;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/** Factories of the kernels that decode and encode images. */
public final class ImageKernels {
  private ImageKernels() {}

  public static Kernel decodePng(KernelNode node) {
    requireBytes(node.attributes().type("dtype"));
    int channels = channels(node, 0, 1, 3, 4);
    return c -> setImage(c, PngImages.decode(content(c), channels));
  }

  public static Kernel decodeJpeg(KernelNode node) {
    int channels = channels(node, 0, 1, 3);
    boolean mayBeCut = node.attributes().bool("try_recover_truncated");
    int ratio = node.attributes().int32("ratio");
    if (ratio != 1 && ratio != 2 && ratio != 4 && ratio != 8) {
      throw TributaryException.invalidArgument("ratio must be 1, 2, 4, or 8, got %d", ratio);
    }
    return c -> setImage(c, JpegImages.decode(content(c), channels, mayBeCut).shrunk(ratio));
  }

  /** Encodes an image, or each of a batch of them. */
  public static Kernel encodePng(KernelNode node) {
    requireBytes(node.type());
    int compression = node.attributes().int32("compression");
    if (compression < -1 || compression > 9) {
      throw TributaryException.invalidArgument(
          "compression should be in [-1,9], got %d", compression);
    }
    return c -> {
      Tensor images = c.input(0);
      Shape shape = images.shape();
      int rank = shape.rank();
      if (rank < 3) {
        throw TributaryException.invalidArgument("images must be at least rank 3, got %s", shape);
      }
      long channels = shape.size(-1);
      if (channels < 1 || channels > 4) {
        throw TributaryException.invalidArgument(
            "image must have 1, 2, 3, or 4 channels, got %d", channels);
      }
      int height = Math.toIntExact(shape.size(-3));
      int width = Math.toIntExact(shape.size(-2));
      Tensor output = c.allocateOutput(0, shape.slice(0, rank - 3));
      long bytes = shape.slice(rank - 3, rank).elementCount();
      Object[] encoded = output.objects();
      for (int i = 0; i < encoded.length; i++) {
        byte[] samples = new byte[Math.toIntExact(bytes)];
        Memory.copy(images.storage().address() + i * bytes, samples, 0, samples.length);
        encoded[i] =
            PngImages.encode(new Pixels(height, width, (int) channels, samples), compression);
      }
    };
  }

  private static byte[] content(KernelContext context) {
    StringInputs.single(context, 0, "contents");
    return (byte[]) context.input(0).objects()[0];
  }

  private static void setImage(KernelContext context, Pixels pixels) {
    Tensor image =
        context.allocateOutput(0, Shape.of(pixels.height(), pixels.width(), pixels.channels()));
    Memory.copy(pixels.samples(), 0, image.storage().address(), pixels.samples().length);
  }

  private static int channels(KernelNode node, int... allowed) {
    int channels = node.attributes().int32("channels");
    for (int one : allowed) {
      if (one == channels) {
        return channels;
      }
    }
    throw TributaryException.invalidArgument(
        "channels must be one of %s, got %d", Arrays.toString(allowed), channels);
  }

  private static void requireBytes(DataType type) {
    if (type != DataType.UINT8) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: uint8", type.lowerName());
    }
  }
}
