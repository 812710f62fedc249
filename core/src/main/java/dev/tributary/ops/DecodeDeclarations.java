package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.kernel.io.DecodeCsv;
import dev.tributary.kernel.io.DecodeRaw;
import dev.tributary.kernel.io.ImageKernels;
import dev.tributary.tensor.Shape;
import java.util.List;

/** The ops that take strings apart: raw bytes, lines of CSV, images. */
final class DecodeDeclarations {
  private DecodeDeclarations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("DecodeRaw")
            .input("bytes: string")
            .output("output: out_type")
            .attr(
                "out_type: {half, float, double, int32, uint16, uint8, int16, int8, int64,"
                    + " complex64, complex128, bool, bfloat16}")
            .attr("little_endian: bool = true")
            .shape(c -> c.output(0, c.input(0).concatenate(Shape.of(Shape.UNKNOWN))))
            .kernel(DecodeRaw::new)
            .notDifferentiable(),
        op("DecodeCSV")
            .input("records: string")
            .input("record_defaults: OUT_TYPE")
            .output("output: OUT_TYPE")
            .attr("OUT_TYPE: list({float, double, int32, int64, string}) >= 1")
            .attr("field_delim: string = ','")
            .attr("use_quote_delim: bool = true")
            .attr("na_value: string = ''")
            .attr("select_cols: list(int) = []")
            .shape(
                c -> {
                  for (int i = 0; i < c.outputCount(); i++) {
                    c.output(i, c.input(0));
                  }
                })
            .kernel(DecodeCsv::new)
            .notDifferentiable(),
        op("DecodePng")
            .input("contents: string")
            .output("image: dtype")
            .attr("channels: int = 0")
            .attr("dtype: {uint8, uint16} = uint8")
            .shape(DecodeDeclarations::imageShape)
            .kernel(ImageKernels::decodePng)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("DecodeJpeg")
            .input("contents: string")
            .output("image: uint8")
            .attr("channels: int = 0")
            .attr("ratio: int = 1")
            .attr("fancy_upscaling: bool = true")
            .attr("try_recover_truncated: bool = false")
            .attr("acceptable_fraction: float = 1.0")
            .attr("dct_method: string = ''")
            .shape(DecodeDeclarations::imageShape)
            .kernel(ImageKernels::decodeJpeg)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("EncodePng")
            .input("image: T")
            .output("contents: string")
            .attr("compression: int = -1")
            .attr("T: {uint8, uint16} = uint8")
            .shape(
                c -> {
                  Shape images = c.withRankAtLeast(0, 3);
                  if (images.hasRank()) {
                    c.output(0, images.slice(0, images.rank() - 3));
                  }
                })
            .kernel(ImageKernels::encodePng)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable());
  }

  private static void imageShape(InferenceContext context) {
    context.withRank(0, 0);
    long channels = context.attributes().integer("channels");
    if (channels < 0) {
      return;
    }
    context.output(
        0, Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, channels == 0 ? Shape.UNKNOWN : channels));
  }
}
