package dev.tributary.internal.kernel.summary;

import dev.tributary.internal.event.EventMessages;
import dev.tributary.internal.event.HostName;
import dev.tributary.internal.event.SummaryBuilder;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ResourceContainer;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.io.FileKernel;
import dev.tributary.internal.kernel.io.FileWork;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;

/** Factories of the kernels that make writers of event files and write summaries with them. */
public final class SummaryWriterKernels {
  private static final int STEP = 1;
  private static final int TAG = 2;
  private static final int VALUE = 3;

  private SummaryWriterKernels() {}

  /** The handle of a writer, which need not exist yet. */
  public static Kernel handle(KernelNode node) {
    ResourceName name = ResourceName.of(node);
    ResourceHandle handle =
        new ResourceHandle(
            node.device().name(), name.container(), name.name(), EventFile.class.getSimpleName());
    return c -> c.setOutput(0, Tensor.ofObjects(DataType.RESOURCE, Shape.scalar(), handle));
  }

  /** Opens the writer of a handle, unless it is open. */
  public static Kernel create(KernelNode node) {
    return new FileKernel(
        node,
        c -> {
          ResourceHandle handle = ResourceHandle.ofInput(c, 0);
          ResourceContainer container = c.device().resources().container(handle.container());
          FileRoot files = c.device().files();
          String folder = text(c, 1, "logdir");
          int mostWaiting = (int) IndexTensors.scalar(c.input(2), "max_queue");
          long millis = IndexTensors.scalar(c.input(3), "flush_millis");
          String suffix = text(c, 4, "filename_suffix");
          EventFile.Patience patience =
              new EventFile.Patience(mostWaiting, Duration.ofMillis(millis));
          return () -> {
            open(container, handle.name(), () -> create(files, folder, suffix, patience));
            return call -> {};
          };
        });
  }

  private static EventFile create(
      FileRoot files, String folder, String suffix, EventFile.Patience patience) {
    return EventFile.create(files, folder, suffix, HostName.local(), patience);
  }

  /** Waits for the file system outside of the container, which others must not wait for. */
  private static void open(ResourceContainer container, String name, Supplier<EventFile> make) {
    if (container.find(name, EventFile.class).isEmpty()) {
      EventFile made = make.get();
      if (container.findOrCreate(name, EventFile.class, () -> made) != made) {
        made.close();
      }
    }
  }

  public static Kernel flush(KernelNode node) {
    return new FileKernel(
        node,
        c -> {
          EventFile file = file(c);
          return () -> {
            file.flush();
            return call -> {};
          };
        });
  }

  /** Ends a writer; what waits is written. */
  public static Kernel close(KernelNode node) {
    return new FileKernel(
        node,
        c -> {
          file(c);
          ResourceHandle handle = ResourceHandle.ofInput(c, 0);
          ResourceContainer container = c.device().resources().container(handle.container());
          return () -> {
            container.remove(handle.name());
            return call -> {};
          };
        });
  }

  public static Kernel scalar(KernelNode node) {
    SummaryKernels.requireNumbers(node.type());
    return summary(
        node,
        c -> {
          IndexTensors.requireScalar(c.input(VALUE), "value");
          try (Tensor value = SummaryKernels.cast(c, c.input(VALUE), DataType.FLOAT)) {
            return new SummaryBuilder().scalar(tag(c), value.getFloat(0));
          }
        });
  }

  public static Kernel histogram(KernelNode node) {
    if (node.type() != DataType.BOOL) {
      SummaryKernels.requireNumbers(node.type());
    }
    return summary(
        node,
        c -> {
          String tag = tag(c);
          return new SummaryBuilder()
              .histogram(tag, SummaryKernels.histogram(c, tag, c.input(VALUE)));
        });
  }

  public static Kernel image(KernelNode node) {
    int maxImages = node.attributes().int32("max_images");
    return summary(
        node,
        c ->
            ImageSummaryKernel.summary(
                c, tag(c), c.input(VALUE), maxImages, ImageSummaryKernel.color(c.input(4))));
  }

  public static Kernel audio(KernelNode node) {
    int maxOutputs = node.attributes().int32("max_outputs");
    return summary(
        node,
        c ->
            AudioSummaryKernel.summary(
                tag(c), c.input(VALUE), AudioSummaryKernel.rate(c.input(4)), maxOutputs));
  }

  /** Inputs: writer, step, tensor, tag, the bytes of a SummaryMetadata. */
  public static Kernel tensor(KernelNode node) {
    return summary(
        node,
        c -> {
          String tag = SummaryKernels.tag(c.input(3));
          byte[] metadata = bytes(c, 4, "summary_metadata");
          return metadata.length == 0
              ? new SummaryBuilder().tensor(tag, c.input(2))
              : new SummaryBuilder().tensor(tag, c.input(2), metadata);
        });
  }

  /** Inputs: writer, step, the bytes of summaries. */
  public static Kernel rawProto(KernelNode node) {
    return event(node, c -> EventMessages.summaries(Instant.now(), step(c), c.input(2).objects()));
  }

  public static Kernel graph(KernelNode node) {
    return event(node, c -> EventMessages.graph(Instant.now(), step(c), bytes(c, 2, "tensor")));
  }

  /** Inputs: writer, the bytes of an event. */
  public static Kernel importEvent(KernelNode node) {
    return event(node, c -> EventMessages.imported(bytes(c, 1, "event")));
  }

  private static Kernel summary(KernelNode node, Function<KernelContext, SummaryBuilder> make) {
    return event(node, c -> EventMessages.summary(Instant.now(), step(c), make.apply(c).build()));
  }

  private static Kernel event(KernelNode node, Function<KernelContext, byte[]> make) {
    return new FileKernel(
        node,
        c -> {
          EventFile file = file(c);
          byte[] event = make.apply(c);
          return write(file, event);
        });
  }

  private static FileWork write(EventFile file, byte[] event) {
    return () -> {
      file.write(event);
      return call -> {};
    };
  }

  private static EventFile file(KernelContext context) {
    return HandleForm.RESOURCE.lookup(context, EventFile.class);
  }

  private static String tag(KernelContext context) {
    return SummaryKernels.tag(context.input(TAG));
  }

  private static long step(KernelContext context) {
    return IndexTensors.scalar(context.input(STEP), "step");
  }

  private static String text(KernelContext context, int input, String what) {
    IndexTensors.requireScalar(context.input(input), what);
    return context.input(input).getString(0);
  }

  private static byte[] bytes(KernelContext context, int input, String what) {
    IndexTensors.requireScalar(context.input(input), what);
    return (byte[]) context.input(input).objects()[0];
  }
}
