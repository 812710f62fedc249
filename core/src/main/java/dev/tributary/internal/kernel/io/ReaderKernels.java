package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.example.ReaderState;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.queue.WorkQueue;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.record.Compression;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Factories of the kernels that make readers and read from them, in either form of handle. */
public final class ReaderKernels {
  private static final int QUEUE = 1;
  private static final int COUNT = 2;

  private ReaderKernels() {}

  // ---- making ----

  public static Kernel wholeFile(KernelNode node, HandleForm form) {
    return maker(node, form, SingleRecordSource::wholeFile, true);
  }

  public static Kernel identity(KernelNode node, HandleForm form) {
    return maker(node, form, SingleRecordSource::identity, true);
  }

  public static Kernel textLine(KernelNode node, HandleForm form) {
    long headerLines = node.attributes().integer("skip_header_lines");
    if (headerLines < 0) {
      throw TributaryException.invalidArgument(
          "skip_header_lines must be >= 0 not %d", headerLines);
    }
    return maker(node, form, TextLineSource.opener(headerLines), false);
  }

  public static Kernel fixedLength(KernelNode node, HandleForm form) {
    return maker(
        node,
        form,
        FixedLengthSource.opener(FixedLengthSource.Layout.of(node.attributes())),
        false);
  }

  public static Kernel tfRecord(KernelNode node, HandleForm form) {
    Compression compression = Compression.named(node.attributes().string("compression_type"));
    return maker(node, form, TfRecordSource.opener(compression), false);
  }

  private static Kernel maker(
      KernelNode node, HandleForm form, RecordSource.Opener opener, boolean canSaveState) {
    ResourceName name = ResourceName.of(node);
    return form.maker(
        node,
        name,
        Reader.class,
        () -> new Reader(name.name(), opener, canSaveState),
        reader -> {});
  }

  // ---- reading ----

  public static AsyncKernel read(KernelNode node, HandleForm form) {
    return (c, done) ->
        call(
            node,
            c,
            done,
            form,
            1,
            records -> {
              SourceRecord record = records.get(0);
              c.setOutput(0, strings(Shape.scalar(), record.key()));
              c.setOutput(1, strings(Shape.scalar(), record.value()));
            });
  }

  public static AsyncKernel readUpTo(KernelNode node, HandleForm form) {
    return (c, done) -> {
      long count = c.input(COUNT).longValue();
      if (count < 0) {
        throw TributaryException.invalidArgument("num_records must be 0 or more, got %d", count);
      }
      call(
          node,
          c,
          done,
          form,
          count,
          records -> {
            c.setOutput(0, column(records, SourceRecord::key));
            c.setOutput(1, column(records, SourceRecord::value));
          });
    };
  }

  private static void call(
      KernelNode node,
      KernelContext context,
      AsyncKernel.Completion done,
      HandleForm form,
      long count,
      Consumer<List<SourceRecord>> deliver) {
    WorkQueue queue = WorkQueue.ofInput(context, QUEUE, form);
    String what = node.op() + " '" + node.name() + "'";
    new ReadCall(what, reader(context, form), queue, count, context, done, deliver).begin();
  }

  private static Tensor column(List<SourceRecord> records, Function<SourceRecord, byte[]> part) {
    return strings(Shape.of(records.size()), records.stream().map(part).toArray());
  }

  private static Tensor strings(Shape shape, Object... elements) {
    return Tensor.ofObjects(DataType.STRING, shape, elements);
  }

  // ---- state ----

  public static Kernel recordsProduced(KernelNode node, HandleForm form) {
    return c -> c.setOutput(0, Tensor.scalar(reader(c, form).state().recordsProduced()));
  }

  public static Kernel workUnitsCompleted(KernelNode node, HandleForm form) {
    return c -> c.setOutput(0, Tensor.scalar(reader(c, form).state().workFinished()));
  }

  public static Kernel serializeState(KernelNode node, HandleForm form) {
    return c -> c.setOutput(0, strings(Shape.scalar(), reader(c, form).savedState().toBytes()));
  }

  public static Kernel restoreState(KernelNode node, HandleForm form) {
    return c -> {
      StringInputs.single(c, 1, "state");
      byte[] state = (byte[]) c.input(1).objects()[0];
      reader(c, form).restore(ReaderState.parse(node.name(), state));
    };
  }

  public static Kernel reset(KernelNode node, HandleForm form) {
    return c -> reader(c, form).reset();
  }

  private static Reader reader(KernelContext context, HandleForm form) {
    return form.lookup(context, Reader.class);
  }
}
