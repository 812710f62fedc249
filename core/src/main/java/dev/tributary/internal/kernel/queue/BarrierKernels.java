package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.resource.Attempt;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Factories of the kernels that make barriers and use them. */
public final class BarrierKernels {
  private static final HandleForm FORM = HandleForm.REFERENCE;

  private BarrierKernels() {}

  public static Kernel maker(KernelNode node) {
    List<DataType> types = node.attributes().types("component_types");
    List<Shape> shapes = node.attributes().shapes("shapes");
    if (shapes.size() != types.size() || !shapes.stream().allMatch(Shape::isFullyDefined)) {
      throw TributaryException.invalidArgument(
          "All of the component shapes must be specified: got types %s and shapes %s",
          types, shapes);
    }
    if (node.attributes().integer("capacity") != -1) {
      throw TributaryException.invalidArgument(
          "Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to"
              + " enforce a limited capacity.");
    }
    ResourceName name = ResourceName.of(node);
    return FORM.maker(
        node,
        name,
        Barrier.class,
        () -> new Barrier(name.name(), types, shapes),
        barrier -> barrier.requireFits(types, shapes));
  }

  public static Kernel insertMany(KernelNode node) {
    int component = node.attributes().int32("component_index");
    return c -> {
      Barrier barrier = FORM.lookup(c, Barrier.class);
      Tensor keys = c.input(1);
      Tensor values = c.input(2);
      requireComponent(barrier, component, keys, values);
      List<ByteBuffer> names = new ArrayList<>();
      for (Object key : keys.objects()) {
        names.add(ByteBuffer.wrap((byte[]) key));
      }
      List<Tensor> rows = new ArrayList<>();
      try {
        for (int i = 0; i < names.size(); i++) {
          rows.addAll(Batches.rows(c.allocator(), List.of(values), i));
        }
        barrier.insert(names, component, rows, c.allocator().budget());
      } catch (RuntimeException e) {
        rows.forEach(Tensor::close);
        throw e;
      }
    };
  }

  private static void requireComponent(Barrier barrier, int component, Tensor keys, Tensor values) {
    if (component < 0 || component >= barrier.types().size()) {
      throw TributaryException.invalidArgument(
          "The component ID is out of range %d > num_components - 1 (%d)",
          component, barrier.types().size() - 1);
    }
    if (values.type() != barrier.types().get(component)) {
      throw TributaryException.invalidArgument(
          "component %d of the barrier is %s, got %s",
          component, barrier.types().get(component).lowerName(), values.type().lowerName());
    }
    long count = ArrayLength.of(keys.elementCount());
    Shape wanted = Shape.of(count).concatenate(barrier.shapes().get(component));
    if (keys.rank() != 1 || !values.shape().equals(wanted)) {
      throw TributaryException.invalidArgument(
          "keys must be a vector and values of shape %s, one for each key, got shapes %s and %s",
          wanted, keys.shape(), values.shape());
    }
    if (count > 0 && values.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "Tensors with no elements are not supported: received shape %s", values.shape());
    }
  }

  public static AsyncKernel takeMany(KernelNode node) {
    boolean allowsFewer = node.attributes().bool("allow_small_batch");
    long timeout = node.attributes().integer("timeout_ms");
    if (timeout != -1) {
      throw TributaryException.invalidArgument(
          "Timeout not supported yet: timeout_ms must be -1, got %d", timeout);
    }
    List<DataType> types = node.attributes().types("component_types");
    return (c, done) -> {
      Barrier barrier = FORM.lookup(c, Barrier.class);
      if (!barrier.types().equals(types)) {
        throw TributaryException.invalidArgument(
            "the barrier's components have types %s, the op's have %s", barrier.types(), types);
      }
      IndexTensors.requireScalar(c.input(1), "num_elements");
      int wanted = c.input(1).intValue();
      if (wanted < 0) {
        throw TributaryException.invalidArgument("num_elements must be 0 or more, got %d", wanted);
      }
      barrier.take(new TakeAttempt(barrier, wanted, allowsFewer, c, done));
    };
  }

  public static Kernel close(KernelNode node) {
    boolean cancels = node.attributes().bool("cancel_pending_enqueues");
    return c -> FORM.lookup(c, Barrier.class).closeForInserts(cancels);
  }

  public static Kernel readySize(KernelNode node) {
    return c -> c.setOutput(0, Tensor.scalar(FORM.lookup(c, Barrier.class).readySize()));
  }

  public static Kernel incompleteSize(KernelNode node) {
    return c -> c.setOutput(0, Tensor.scalar(FORM.lookup(c, Barrier.class).incompleteSize()));
  }

  /** Takes tuples when enough are ready, and puts them together to a batch. */
  private static final class TakeAttempt extends Attempt {
    private final Barrier barrier;
    private final int wanted;
    private final boolean allowsFewer;
    private List<QueueElement> taken = List.of();

    TakeAttempt(
        Barrier barrier,
        int wanted,
        boolean allowsFewer,
        KernelContext context,
        AsyncKernel.Completion done) {
      super("TakeMany", context, done);
      this.barrier = barrier;
      this.wanted = wanted;
      this.allowsFewer = allowsFewer;
    }

    @Override
    protected Progress proceed() {
      int takeable = barrier.takeable(wanted, allowsFewer);
      if (takeable == 0 && wanted > 0) {
        return Progress.NONE;
      }
      taken = barrier.takeReady(takeable);
      return Progress.DONE;
    }

    @Override
    protected void deliver(KernelContext call) {
      List<Shape> shapes = new ArrayList<>(List.of(Shape.scalar(), Shape.scalar()));
      shapes.addAll(barrier.shapes());
      List<DataType> types = new ArrayList<>(List.of(DataType.INT64, DataType.STRING));
      types.addAll(barrier.types());
      QueueSpec spec = new QueueSpec(QueueKind.PRIORITY, types, shapes, Integer.MAX_VALUE, 0, 0, 0);
      try {
        DequeueAttempt.batch(call, spec, taken);
      } finally {
        taken.forEach(QueueElement::close);
      }
    }
  }
}
