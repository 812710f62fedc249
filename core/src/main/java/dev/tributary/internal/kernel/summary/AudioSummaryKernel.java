package dev.tributary.internal.kernel.summary;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.event.SummaryBuilder;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Puts the first sounds of a batch into a summary, as WAV with samples of 16 bits. */
public final class AudioSummaryKernel implements Kernel {
  private static final int HEADER = 44;
  private static final int SAMPLE = Short.BYTES;

  private final int maxOutputs;
  private final boolean hasRate;
  private final float fixedRate;

  /** With the sample rate as an input, or as an attribute where {@code node} has one. */
  public AudioSummaryKernel(KernelNode node) {
    this.maxOutputs = node.attributes().int32("max_outputs");
    this.hasRate = node.attributes().has("sample_rate");
    this.fixedRate = hasRate ? node.attributes().real("sample_rate") : 0;
  }

  @Override
  public void compute(KernelContext context) {
    String tag = SummaryKernels.tag(context.input(0));
    float rate = hasRate ? fixedRate : rate(context.input(2));
    SummaryKernels.set(context, summary(tag, context.input(1), rate, maxOutputs));
  }

  static SummaryBuilder summary(String tag, Tensor sounds, float rate, int maxOutputs) {
    Shape shape = sounds.shape();
    if (shape.rank() != 2 && shape.rank() != 3) {
      throw TributaryException.invalidArgument("Tensor must be 3-D or 2-D, got: %s", shape);
    }
    int channels = shape.rank() == 2 ? 1 : ArrayLength.of(shape.size(2));
    int samples = ArrayLength.of(shape.slice(1, shape.rank()).elementCount());
    ArrayLength.of((long) samples * SAMPLE + HEADER);
    if (!(rate > 0) || channels == 0) {
      throw TributaryException.invalidArgument(
          "sample_rate and the number of channels must be > 0, got %s and %d", rate, channels);
    }
    SummaryBuilder summary = new SummaryBuilder();
    for (int i = 0; i < Math.min(maxOutputs, shape.size(0)); i++) {
      long from = sounds.storage().address() + (long) i * samples * Float.BYTES;
      summary.audio(
          tag + (maxOutputs > 1 ? "/audio/" + i : "/audio"),
          rate,
          channels,
          shape.size(1),
          wav(from, samples, channels, (int) rate));
    }
    return summary;
  }

  static float rate(Tensor input) {
    IndexTensors.requireScalar(input, "sample_rate");
    return input.floatValue();
  }

  private static byte[] wav(long from, int samples, int channels, int rate) {
    int bytes = samples * SAMPLE;
    ByteBuffer file = ByteBuffer.allocate(HEADER + bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.put(ascii("RIFF")).putInt(HEADER - 8 + bytes).put(ascii("WAVE"));
    file.put(ascii("fmt ")).putInt(16).putShort((short) 1).putShort((short) channels);
    file.putInt(rate).putInt(rate * channels * SAMPLE);
    file.putShort((short) (channels * SAMPLE)).putShort((short) (8 * SAMPLE));
    file.put(ascii("data")).putInt(bytes);
    for (int i = 0; i < samples; i++) {
      file.putShort(sample(Memory.getFloat(from + (long) Float.BYTES * i)));
    }
    return file.array();
  }

  /** A number from -1 to 1 as a sample, rounded to the nearest, halves away from 0. */
  private static short sample(float value) {
    double scaled = value * 32768f;
    double rounded = Math.copySign(Math.floor(Math.abs(scaled) + 0.5), scaled);
    return (short) Math.max(Short.MIN_VALUE, Math.min(Short.MAX_VALUE, rounded));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
