package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.summary.AudioSummaryKernel;
import dev.tributary.internal.kernel.summary.ImageSummaryKernel;
import dev.tributary.internal.kernel.summary.SummaryKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/**
 * Summaries for TensorBoard: each op gives a string, the bytes of a Summary, which an {@link
 * dev.tributary.record.EventWriter} writes.
 */
public final class SummaryOps {
  private static final String NUMBERS =
      "{float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64}";

  private final Scope scope;

  SummaryOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("ScalarSummary")
            .input("tags: string")
            .input("values: T")
            .output("summary: string")
            .attr("T: " + NUMBERS)
            .shape(ShapeRules::scalar)
            .kernel(SummaryKernels::scalar)
            .notDifferentiable(),
        op("HistogramSummary")
            .input("tag: string")
            .input("values: T")
            .output("summary: string")
            .attr("T: " + NUMBERS + " = float")
            .shape(ShapeRules::scalar)
            .kernel(SummaryKernels::histogram)
            .notDifferentiable(),
        op("ImageSummary")
            .input("tag: string")
            .input("tensor: T")
            .output("summary: string")
            .attr("max_images: int >= 1 = 3")
            .attr("T: {uint8, float, half, double} = float")
            .attr("bad_color: tensor = uint8[255, 0, 0, 255]")
            .shape(ShapeRules::scalar)
            .kernel(ImageSummaryKernel::new)
            .notDifferentiable(),
        op("AudioSummaryV2")
            .input("tag: string")
            .input("tensor: float")
            .input("sample_rate: float")
            .output("summary: string")
            .attr("max_outputs: int >= 1 = 3")
            .shape(ShapeRules::scalar)
            .kernel(AudioSummaryKernel::new)
            .notDifferentiable(),
        op("AudioSummary")
            .input("tag: string")
            .input("tensor: float")
            .output("summary: string")
            .attr("sample_rate: float")
            .attr("max_outputs: int >= 1 = 3")
            .deprecated(15, "Use AudioSummaryV2.")
            .shape(ShapeRules::scalar)
            .kernel(AudioSummaryKernel::new)
            .notDifferentiable(),
        op("TensorSummary")
            .input("tensor: T")
            .output("summary: string")
            .attr("T: type")
            .attr("description: string = ''")
            .attr("labels: list(string) = []")
            .attr("display_name: string = ''")
            .shape(ShapeRules::scalar)
            .kernel(SummaryKernels::tensorOfNode)
            .notDifferentiable(),
        op("TensorSummaryV2")
            .input("tag: string")
            .input("tensor: T")
            .input("serialized_summary_metadata: string")
            .output("summary: string")
            .attr("T: type")
            .shape(ShapeRules::scalar)
            .kernel(SummaryKernels::tensor)
            .notDifferentiable(),
        op("MergeSummary")
            .input("inputs: N * string")
            .output("summary: string")
            .attr("N: int >= 1")
            .shape(ShapeRules::scalar)
            .kernel(SummaryKernels::merge)
            .notDifferentiable());
  }

  /** A number, or several with a tag for each. */
  public Output scalar(String tag, Operand value) {
    return scope.operation("ScalarSummary").input(constant(tag)).input(value).buildOutput();
  }

  /** A histogram of the elements of a tensor. */
  public Output histogram(String tag, Operand values) {
    return scope.operation("HistogramSummary").input(constant(tag)).input(values).buildOutput();
  }

  /**
   * The first few of a batch of images, [n, height, width, channels] with 1 (grey), 3 (colour) or 4
   * (with opacity) channels. Floats are scaled for each image: from 0 to its greatest value, or
   * around 0 if it has negative ones; pixels that are not finite are red.
   *
   * @param tag the prefix of their tags {@code tag/image/0} and so on; a single image has {@code
   *     tag/image}
   */
  public Output image(String tag, Operand images, int maxImages) {
    return scope
        .operation("ImageSummary")
        .input(constant(tag))
        .input(images)
        .attr("max_images", maxImages)
        .buildOutput();
  }

  /**
   * The first few of a batch of sounds, [n, frames, channels] or [n, frames] with samples from -1
   * to 1.
   *
   * @param sampleRate frames in a second, a float scalar
   */
  public Output audio(String tag, Operand sounds, Operand sampleRate, int maxOutputs) {
    return scope
        .operation("AudioSummaryV2")
        .input(constant(tag))
        .input(sounds)
        .input(sampleRate)
        .attr("max_outputs", maxOutputs)
        .buildOutput();
  }

  /**
   * A tensor of any type.
   *
   * @param metadata a string scalar, the bytes of a SummaryMetadata, which tells who shows it
   */
  public Output tensor(String tag, Operand tensor, Operand metadata) {
    return scope
        .operation("TensorSummaryV2")
        .input(constant(tag))
        .input(tensor)
        .input(metadata)
        .buildOutput();
  }

  /** One summary with all values of these. */
  public Output merge(List<? extends Operand> summaries) {
    return scope.operation("MergeSummary").inputList(summaries).buildOutput();
  }

  /**
   * A writer whose operations write summaries from within the graph. Writers of one name, in one
   * session or of one server, write to one file.
   */
  public SummaryWriter writer(String sharedName) {
    return SummaryWriter.of(scope, sharedName);
  }

  private Output constant(String tag) {
    return new Ops(scope).constant(tag);
  }
}
