package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.io.WavFiles;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Files of sound. Graphs of speech models have them; no client adds them. */
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
            .notDifferentiable());
  }

  private static long wanted(InferenceContext context, String attribute) {
    long size = context.attributes().int32(attribute);
    return size < 0 ? Shape.UNKNOWN : size;
  }
}
