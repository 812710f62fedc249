package dev.tributary.internal.kernel.queue;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Factories of the kernels that make queues and use them, in either form of handle. */
public final class QueueKernels {
  private QueueKernels() {}

  /** Finds the queue by its name, or makes it, and gives its handle. */
  public static Kernel maker(KernelNode node, HandleForm form, QueueKind kind) {
    QueueSpec spec = QueueSpec.of(kind, node);
    ResourceName name = ResourceName.of(node);
    return form.maker(
        node,
        name,
        TensorQueue.class,
        () -> new TensorQueue(name.name(), spec),
        queue -> queue.spec().requireFits(name.name(), spec));
  }

  public static AsyncKernel enqueue(KernelNode node, HandleForm form) {
    requireNoTimeout(node);
    List<DataType> types = componentTypes(node);
    return (c, done) -> {
      TensorQueue queue = queue(c, form);
      queue.spec().requireTypes(types);
      List<Tensor> components = components(c);
      queue.spec().requireElement(components);
      // Inputs stay valid until the call ends, so the element takes references when it goes in.
      queue.enqueue(new EnqueueAttempt(queue, i -> retained(components), 1, c, done));
    };
  }

  public static AsyncKernel enqueueMany(KernelNode node, HandleForm form) {
    requireNoTimeout(node);
    List<DataType> types = componentTypes(node);
    return (c, done) -> {
      TensorQueue queue = queue(c, form);
      queue.spec().requireTypes(types);
      List<Tensor> batch = components(c);
      int count = queue.spec().requireBatch(batch);
      if (count == 0) {
        done.succeed();
        return;
      }
      queue.enqueue(
          new EnqueueAttempt(queue, i -> Batches.rows(c.allocator(), batch, i), count, c, done));
    };
  }

  public static AsyncKernel dequeue(KernelNode node, HandleForm form) {
    requireNoTimeout(node);
    return (c, done) -> {
      TensorQueue queue = queue(c, form);
      queue.spec().requireTypes(node.outputTypes());
      queue.dequeue(new DequeueAttempt(queue, DequeueAttempt.Form.SINGLE, 1, c, done));
    };
  }

  public static AsyncKernel dequeueMany(KernelNode node, HandleForm form) {
    return dequeueBatch(node, form, DequeueAttempt.Form.MANY);
  }

  public static AsyncKernel dequeueUpTo(KernelNode node, HandleForm form) {
    return dequeueBatch(node, form, DequeueAttempt.Form.UP_TO);
  }

  public static AsyncKernel close(KernelNode node, HandleForm form) {
    boolean cancel = node.attributes().bool("cancel_pending_enqueues");
    return (c, done) -> {
      TensorQueue queue = queue(c, form);
      if (cancel) {
        queue.closeAndCancelEnqueues();
        done.succeed();
      } else {
        queue.enqueue(new CloseAttempt(queue, c, done));
      }
    };
  }

  public static Kernel size(KernelNode node, HandleForm form) {
    return c -> c.setOutput(0, Tensor.scalar(queue(c, form).size()));
  }

  public static Kernel isClosed(KernelNode node, HandleForm form) {
    return c -> c.setOutput(0, Tensor.scalar(queue(c, form).isClosed()));
  }

  private static AsyncKernel dequeueBatch(
      KernelNode node, HandleForm form, DequeueAttempt.Form batching) {
    requireNoTimeout(node);
    return (c, done) -> {
      TensorQueue queue = queue(c, form);
      queue.spec().requireTypes(node.outputTypes());
      queue.spec().requireBatches();
      int wanted = c.input(1).intValue();
      if (wanted < 0) {
        throw TributaryException.invalidArgument(
            "%s cannot give %d elements; the number must be 0 or more", queue, wanted);
      }
      if (wanted == 0) {
        DequeueAttempt.batch(c, queue.spec(), List.of());
        done.succeed();
        return;
      }
      queue.dequeue(new DequeueAttempt(queue, batching, wanted, c, done));
    };
  }

  private static TensorQueue queue(KernelContext context, HandleForm form) {
    return form.lookup(context, TensorQueue.class);
  }

  private static List<DataType> componentTypes(KernelNode node) {
    return node.inputTypes().subList(1, node.inputTypes().size());
  }

  private static List<Tensor> components(KernelContext context) {
    List<Tensor> components = new ArrayList<>();
    for (int i = 1; i < context.inputCount(); i++) {
      components.add(context.input(i));
    }
    return components;
  }

  private static List<Tensor> retained(List<Tensor> tensors) {
    tensors.forEach(Tensor::retain);
    return tensors;
  }

  private static void requireNoTimeout(KernelNode node) {
    long timeout = node.attributes().integer("timeout_ms");
    if (timeout != -1) {
      throw TributaryException.invalidArgument(
          "Timeout not supported yet: timeout_ms must be -1, got %d", timeout);
    }
  }
}
