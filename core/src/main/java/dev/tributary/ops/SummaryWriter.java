package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.summary.SummaryWriterKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import java.util.List;

/**
 * A writer of summaries that is part of a graph, as TensorFlow 2 programs have them: each operation
 * writes an event to a file of the device that runs it. {@link #create} must run before the others.
 * Immutable.
 */
public final class SummaryWriter {
  private static final String REAL =
      "float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, uint32, uint64";

  private final Scope scope;
  private final Output handle;

  private SummaryWriter(Scope scope, Output handle) {
    this.scope = scope;
    this.handle = handle;
  }

  static SummaryWriter of(Scope scope, String sharedName) {
    Output handle =
        scope
            .withoutControlDependencies()
            .operation("SummaryWriter")
            .attr("shared_name", sharedName)
            .buildOutput();
    return new SummaryWriter(scope.withoutName(), handle);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("SummaryWriter")
            .output("writer: resource")
            .attr("shared_name: string = ''")
            .attr("container: string = ''")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(SummaryWriterKernels::handle)
            .notDifferentiable(),
        use(
            op("CreateSummaryFileWriter")
                .input("writer: resource")
                .input("logdir: string")
                .input("max_queue: int32")
                .input("flush_millis: int32")
                .input("filename_suffix: string"),
            SummaryWriterKernels::create),
        use(op("FlushSummaryWriter").input("writer: resource"), SummaryWriterKernels::flush),
        use(op("CloseSummaryWriter").input("writer: resource"), SummaryWriterKernels::close),
        use(
            event("WriteScalarSummary")
                .input("tag: string")
                .input("value: T")
                .attr("T: {" + REAL + "}"),
            SummaryWriterKernels::scalar),
        use(
            event("WriteHistogramSummary")
                .input("tag: string")
                .input("values: T")
                .attr("T: {" + REAL + ", bool} = float"),
            SummaryWriterKernels::histogram),
        use(
            event("WriteImageSummary")
                .input("tag: string")
                .input("tensor: T")
                .input("bad_color: uint8")
                .attr("max_images: int >= 1 = 3")
                .attr("T: {uint8, double, float, half} = float"),
            SummaryWriterKernels::image),
        use(
            event("WriteAudioSummary")
                .input("tag: string")
                .input("tensor: float")
                .input("sample_rate: float")
                .attr("max_outputs: int >= 1 = 3"),
            SummaryWriterKernels::audio),
        use(
            event("WriteSummary")
                .input("tensor: T")
                .input("tag: string")
                .input("summary_metadata: string")
                .attr("T: type"),
            SummaryWriterKernels::tensor),
        use(event("WriteRawProtoSummary").input("tensor: string"), SummaryWriterKernels::rawProto),
        use(event("WriteGraphSummary").input("tensor: string"), SummaryWriterKernels::graph),
        use(
            op("ImportEvent").input("writer: resource").input("event: string"),
            SummaryWriterKernels::importEvent));
  }

  private static Declaration event(String name) {
    return op(name).input("writer: resource").input("step: int64");
  }

  private static OpDeclaration use(Declaration declaration, KernelFactory kernel) {
    return declaration.stateful().shape(ShapeRules::unknown).kernel(kernel).notDifferentiable();
  }

  /** The same writer, used in another scope. */
  public SummaryWriter in(Ops tf) {
    return new SummaryWriter(tf.scope(), handle);
  }

  public Output handle() {
    return handle;
  }

  /**
   * Opens a new event file, unless the writer has one.
   *
   * @param folder a string scalar, the folder of the file; made if it does not exist
   */
  public Operation create(Operand folder) {
    Ops tf = new Ops(scope);
    return builder("CreateSummaryFileWriter")
        .input(folder)
        .input(tf.constant(10))
        .input(tf.constant(120_000))
        .input(tf.constant(".v2"))
        .build();
  }

  /** Puts all events on the disk. */
  public Operation flush() {
    return builder("FlushSummaryWriter").build();
  }

  /** Ends the file. */
  public Operation close() {
    return builder("CloseSummaryWriter").build();
  }

  /** Writes a number. */
  public Operation scalar(Operand step, String tag, Operand value) {
    return tagged("WriteScalarSummary", step, tag).input(value).build();
  }

  /** Writes a histogram of the elements of a tensor. */
  public Operation histogram(Operand step, String tag, Operand values) {
    return tagged("WriteHistogramSummary", step, tag).input(values).build();
  }

  /** Writes the first few of a batch of images, as {@link SummaryOps#image} makes them. */
  public Operation image(Operand step, String tag, Operand images, int maxImages) {
    Ops tf = new Ops(scope);
    return tagged("WriteImageSummary", step, tag)
        .input(images)
        .input(tf.cast(tf.constant(255, 0, 0, 255), DataType.UINT8))
        .attr("max_images", maxImages)
        .build();
  }

  /** Writes the first few of a batch of sounds, as {@link SummaryOps#audio} makes them. */
  public Operation audio(
      Operand step, String tag, Operand sounds, Operand sampleRate, int maxOutputs) {
    return tagged("WriteAudioSummary", step, tag)
        .input(sounds)
        .input(sampleRate)
        .attr("max_outputs", maxOutputs)
        .build();
  }

  /**
   * Writes a tensor of any type.
   *
   * @param metadata a string scalar, the bytes of a SummaryMetadata
   */
  public Operation tensor(Operand step, String tag, Operand tensor, Operand metadata) {
    return builder("WriteSummary")
        .input(step)
        .input(tensor)
        .input(new Ops(scope).constant(tag))
        .input(metadata)
        .build();
  }

  /** Writes the results of summary ops: strings that each are the bytes of a Summary. */
  public Operation summary(Operand step, Operand summaries) {
    return builder("WriteRawProtoSummary").input(step).input(summaries).build();
  }

  /** Writes a graph: a string scalar, the bytes of a GraphDef. */
  public Operation graph(Operand step, Operand graphDef) {
    return builder("WriteGraphSummary").input(step).input(graphDef).build();
  }

  /** Writes an event as it is: a string scalar, the bytes of an Event. */
  public Operation importEvent(Operand event) {
    return builder("ImportEvent").input(event).build();
  }

  private OperationBuilder tagged(String op, Operand step, String tag) {
    return builder(op).input(step).input(new Ops(scope).constant(tag));
  }

  private OperationBuilder builder(String op) {
    return scope.operation(op).input(handle);
  }
}
