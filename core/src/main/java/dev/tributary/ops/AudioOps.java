package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.io.WavFiles;
import dev.tributary.internal.kernel.math.CepstrumKernel;
import dev.tributary.internal.kernel.math.SpectrogramKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Files of sound, and its frequencies. Graphs of speech models have them; no client adds them. */
final class AudioOps {
  private AudioOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("DecodeWav")
            .input("contents: string")
            .output("audio: float")
            .output("sample_rate: int32")
            .attr("desired_channels: int = -1")
            .attr("desired_samples: int = -1")
            .shape(
                c -> {
                  c.withRank(0, 0);
                  c.output(
                      0, Shape.of(wanted(c, "desired_samples"), wanted(c, "desired_channels")));
                  c.output(1, Shape.scalar());
                })
            .kernel(WavFiles::decode)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("EncodeWav")
            .input("audio: float")
            .input("sample_rate: int32")
            .output("contents: string")
            .shape(
                c -> {
                  c.withRank(0, 2);
                  c.withRank(1, 0);
                  c.output(0, Shape.scalar());
                })
            .kernel(node -> WavFiles::encode)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("AudioSpectrogram")
            .input("input: float")
            .output("spectrogram: float")
            .attr("window_size: int")
            .attr("stride: int")
            .attr("magnitude_squared: bool = false")
            .shape(AudioOps::spectrogramShape)
            .kernel(SpectrogramKernel::new)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("Mfcc")
            .input("spectrogram: float")
            .input("sample_rate: int32")
            .output("output: float")
            .attr("upper_frequency_limit: float = 4000")
            .attr("lower_frequency_limit: float = 20")
            .attr("filterbank_channel_count: int = 40")
            .attr("dct_coefficient_count: int = 13")
            .shape(
                c -> {
                  Shape spectrogram = c.withRank(0, 3);
                  c.withRank(1, 0);
                  long coefficients = c.attributes().int32("dct_coefficient_count");
                  c.output(0, spectrogram.withSize(2, coefficients));
                })
            .kernel(CepstrumKernel::new)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable());
  }

  private static void spectrogramShape(InferenceContext context) {
    Shape input = context.withRank(0, 2);
    int window = context.attributes().int32("window_size");
    int stride = context.attributes().int32("stride");
    SpectrogramKernel.requireWindow(window, stride);
    long moments = input.size(0);
    long slices =
        moments == Shape.UNKNOWN
            ? Shape.UNKNOWN
            : SpectrogramKernel.slices(moments, window, stride);
    context.output(0, Shape.of(input.size(1), slices, SpectrogramKernel.frequencies(window)));
  }

  private static long wanted(InferenceContext context, String attribute) {
    long size = context.attributes().int32(attribute);
    return size < 0 ? Shape.UNKNOWN : size;
  }
}
