package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.image.BmpImages;
import dev.tributary.internal.image.GifImages;
import dev.tributary.internal.image.ImageKind;
import dev.tributary.internal.image.ImageSize;
import dev.tributary.internal.image.JpegImages;
import dev.tributary.internal.image.Pixels;
import dev.tributary.internal.image.PngImages;
import dev.tributary.internal.image.WidePixels;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * The kernel of all ops that decode images. As in TensorFlow, the content decides about the format:
 * DecodePng, DecodeJpeg and DecodeGif take each other's images.
 */
public final class ImageDecoder implements Kernel {
  private static final float OF_BYTE = (float) (1.0 / 0xff);
  private static final float OF_SHORT = (float) (1.0 / 0xffff);

  private final String op;
  private final int channels;
  private final DataType type;
  private final boolean animated;
  private final boolean mayBeCut;
  private final int ratio;

  public ImageDecoder(KernelNode node) {
    Attributes attributes = node.attributes();
    this.op = node.op();
    this.channels = attributes.has("channels") ? attributes.int32("channels") : 3;
    this.type = node.outputTypes().get(0);
    this.animated = !attributes.has("expand_animations") || attributes.bool("expand_animations");
    this.mayBeCut =
        attributes.has("try_recover_truncated") && attributes.bool("try_recover_truncated");
    this.ratio = attributes.has("ratio") ? attributes.int32("ratio") : 1;
    if (channels != 0 && channels != 1 && channels != 3 && channels != 4) {
      throw TributaryException.invalidArgument(
          "channels must be one of [0, 1, 3, 4], got %d", channels);
    }
    requireMethod(attributes);
    if (ratio != 1 && ratio != 2 && ratio != 4 && ratio != 8) {
      throw TributaryException.invalidArgument("ratio must be 1, 2, 4, or 8, got %d", ratio);
    }
  }

  /** All methods give the same here; TensorFlow has a fast one and one that rounds better. */
  private static void requireMethod(Attributes attributes) {
    String method = attributes.has("dct_method") ? attributes.string("dct_method") : "";
    if (!List.of("", "INTEGER_FAST", "INTEGER_ACCURATE").contains(method)) {
      throw TributaryException.invalidArgument(
          "dct_method must be '', INTEGER_FAST or INTEGER_ACCURATE, got '%s'", method);
    }
  }

  @Override
  public void compute(KernelContext context) {
    byte[] content = ImageKernels.content(context);
    ImageKind kind = ImageKind.of(content);
    requireTaken(kind);
    // Pixels are on the heap while they are decoded: a byte each at least.
    long pixels = ImageSize.pixels(kind, content);
    MemoryBudget budget = context.allocator().budget();
    budget.reserve(pixels, "an image");
    try {
      decode(context, kind, content);
    } finally {
      budget.release(pixels);
    }
  }

  private void decode(KernelContext context, ImageKind kind, byte[] content) {
    switch (kind) {
      case JPEG -> set(context, crop(context, decodeJpeg(content)));
      case PNG -> decodePng(context, content);
      case GIF -> decodeGif(context, content);
      case BMP -> set(context, BmpImages.decode(content, channels));
    }
  }

  private void requireTaken(ImageKind kind) {
    boolean taken =
        switch (op) {
          case "DecodeBmp" -> kind == ImageKind.BMP;
          case "DecodeAndCropJpeg" -> kind == ImageKind.JPEG;
          case "DecodeImage" -> true;
          default -> kind != ImageKind.BMP;
        };
    if (!taken) {
      throw TributaryException.invalidArgument(
          "%s cannot decode a %s image; DecodeImage can", op, kind);
    }
    boolean fits =
        switch (kind) {
          case JPEG -> channels != 4;
          case PNG -> true;
          case GIF -> channels == 0 || channels == 3;
          case BMP -> channels != 1;
        };
    if (!fits) {
      throw TributaryException.invalidArgument(
          "a %s image cannot have the requested number of channels, got channels %d",
          kind, channels);
    }
  }

  private Pixels decodeJpeg(byte[] content) {
    return JpegImages.decode(content, channels, mayBeCut).shrunk(ratio);
  }

  private Pixels crop(KernelContext context, Pixels pixels) {
    if (!op.equals("DecodeAndCropJpeg")) {
      return pixels;
    }
    long[] window = IndexTensors.vector(context.input(1), "crop_window", 4);
    return pixels.cropped((int) window[0], (int) window[1], (int) window[2], (int) window[3]);
  }

  private void decodePng(KernelContext context, byte[] content) {
    if (type == DataType.UINT8) {
      set(context, PngImages.decode(content, channels));
      return;
    }
    WidePixels pixels = PngImages.decodeWide(content, channels);
    Shape shape = shape(Shape.of(pixels.height(), pixels.width(), pixels.channels()));
    long to = context.allocateOutput(0, shape).storage().address();
    short[] samples = pixels.samples();
    for (int i = 0; i < samples.length; i++) {
      if (type == DataType.UINT16) {
        Memory.putShort(to + (long) i * Short.BYTES, samples[i]);
      } else {
        float sample = Short.toUnsignedInt(samples[i]);
        Memory.putFloat(to + (long) i * Float.BYTES, sample * OF_SHORT);
      }
    }
  }

  private void decodeGif(KernelContext context, byte[] content) {
    GifImages.Frames frames = GifImages.decode(content, animated);
    Pixels pixels = frames.pixels();
    boolean flat = op.equals("DecodePng") || op.equals("DecodeJpeg");
    if (flat && frames.count() > 1) {
      throw TributaryException.invalidArgument(
          "%s cannot decode an animation, got a GIF image of %d frames; DecodeGif can",
          op, frames.count());
    }
    Shape frame = Shape.of(pixels.height() / frames.count(), pixels.width(), 3);
    boolean isStill = flat || !animated;
    set(context, pixels.samples(), isStill ? frame : Shape.of(frames.count()).concatenate(frame));
  }

  private void set(KernelContext context, Pixels pixels) {
    Shape shape = Shape.of(pixels.height(), pixels.width(), pixels.channels());
    set(context, pixels.samples(), shape(shape));
  }

  /** DecodeGif gives every image as one of a single frame. */
  private Shape shape(Shape image) {
    return op.equals("DecodeGif") ? Shape.of(1).concatenate(image) : image;
  }

  /** Samples of 16 bits are those of 8 times 256, as in TensorFlow, and not times 257. */
  private void set(KernelContext context, byte[] samples, Shape shape) {
    Tensor image = context.allocateOutput(0, shape);
    long to = image.storage().address();
    if (type == DataType.UINT8) {
      Memory.copy(samples, 0, to, samples.length);
      return;
    }
    for (int i = 0; i < samples.length; i++) {
      int sample = Byte.toUnsignedInt(samples[i]);
      if (type == DataType.UINT16) {
        Memory.putShort(to + (long) i * Short.BYTES, (short) (sample << Byte.SIZE));
      } else {
        Memory.putFloat(to + (long) i * Float.BYTES, sample * OF_BYTE);
      }
    }
  }
}
