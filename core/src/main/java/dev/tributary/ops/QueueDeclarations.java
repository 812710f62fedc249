package dev.tributary.ops;

import static dev.tributary.ops.HandleDeclarations.versioned;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelNode;
import dev.tributary.kernel.queue.QueueKernels;
import dev.tributary.kernel.queue.QueueKind;
import dev.tributary.kernel.resource.HandleForm;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** The queue ops, with reference handles and with resource handles. */
final class QueueDeclarations {
  private QueueDeclarations() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    for (HandleForm form : HandleForm.values()) {
      for (QueueKind kind : QueueKind.values()) {
        all.add(maker(form, kind));
      }
      all.add(enqueue("QueueEnqueue", form, QueueKernels::enqueue));
      all.add(enqueue("QueueEnqueueMany", form, QueueKernels::enqueueMany));
      all.add(
          dequeue(user("QueueDequeue", form), form, QueueKernels::dequeue)
              .shape(c -> componentShapes(c, Shape.scalar()))
              .notDifferentiable());
      all.add(
          dequeue(user("QueueDequeueMany", form).input("n: int32"), form, QueueKernels::dequeueMany)
              .shape(c -> componentShapes(c, Shape.of(requireCount(c))))
              .notDifferentiable());
      all.add(
          dequeue(user("QueueDequeueUpTo", form).input("n: int32"), form, QueueKernels::dequeueUpTo)
              .shape(
                  c -> {
                    requireCount(c);
                    componentShapes(c, Shape.ofRank(1));
                  })
              .notDifferentiable());
      all.add(
          user("QueueClose", form)
              .attr("cancel_pending_enqueues: bool = false")
              .shape(ShapeRules::unknown)
              .kernel(node -> QueueKernels.close(node, form))
              .notDifferentiable());
      all.add(
          user("QueueSize", form)
              .output("size: int32")
              .shape(ShapeRules::scalar)
              .kernel(node -> QueueKernels.size(node, form))
              .notDifferentiable());
      all.add(
          user("QueueIsClosed", form)
              .output("is_closed: bool")
              .shape(ShapeRules::scalar)
              .kernel(node -> QueueKernels.isClosed(node, form))
              .notDifferentiable());
    }
    return all;
  }

  private static OpDeclaration maker(HandleForm form, QueueKind kind) {
    Declaration declaration =
        HandleDeclarations.maker(versioned(kind.opName(), form), form, "handle");
    // A priority comes in front of these types, so there may be no other.
    if (kind == QueueKind.PRIORITY) {
      declaration.attr("component_types: list(type) >= 0 = []").attr("shapes: list(shape) >= 0");
    } else {
      declaration.attr("component_types: list(type) >= 1").attr("shapes: list(shape) >= 0 = []");
    }
    declaration.attr("capacity: int = -1");
    if (kind == QueueKind.RANDOM_SHUFFLE) {
      declaration.attr("min_after_dequeue: int = 0").attr("seed: int = 0").attr("seed2: int = 0");
    }
    if (form == HandleForm.RESOURCE) {
      declaration.shape(c -> resourceShape(c, kind));
    }
    return declaration
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .flag(OpFlag.SHARED_BY_NAME)
        .kernel(node -> QueueKernels.maker(node, form, kind))
        .notDifferentiable();
  }

  /** A resource handle tells dequeues what shapes come out. */
  private static void resourceShape(InferenceContext context, QueueKind kind) {
    context.output(0, Shape.scalar());
    List<Shape> shapes = new ArrayList<>(context.attributes().shapes("shapes"));
    if (kind == QueueKind.PRIORITY && !shapes.isEmpty()) {
      shapes.add(0, Shape.scalar());
    }
    context.outputHandles(0, shapes);
  }

  private static OpDeclaration enqueue(
      String name, HandleForm form, BiFunction<KernelNode, HandleForm, Kernel> kernel) {
    return user(name, form)
        .input("components: Tcomponents")
        .attr("Tcomponents: list(type) >= 1")
        .attr("timeout_ms: int = -1")
        .shape(ShapeRules::unknown)
        .kernel(node -> kernel.apply(node, form))
        .notDifferentiable();
  }

  private static Declaration dequeue(
      Declaration declaration, HandleForm form, BiFunction<KernelNode, HandleForm, Kernel> kernel) {
    return declaration
        .output("components: component_types")
        .attr("component_types: list(type) >= 1")
        .attr("timeout_ms: int = -1")
        .kernel(node -> kernel.apply(node, form));
  }

  /** Each output has the shape of its component behind {@code prefix}, if that is known. */
  private static void componentShapes(InferenceContext context, Shape prefix) {
    List<Shape> shapes = context.inputHandles(0);
    if (shapes.size() == context.outputCount()) {
      for (int i = 0; i < shapes.size(); i++) {
        context.output(i, prefix.concatenate(shapes.get(i)));
      }
    }
  }

  /** Returns how many elements a batch will have, or -1 if that is not known. */
  private static long requireCount(InferenceContext context) {
    context.withRank(1, 0);
    long count = context.constant(1).map(Tensor::intValue).orElse((int) Shape.UNKNOWN);
    if (context.constant(1).isPresent() && count < 0) {
      throw TributaryException.invalidArgument("input 'n' must be 0 or more, got %d", count);
    }
    return count;
  }

  private static Declaration user(String name, HandleForm form) {
    return HandleDeclarations.user(versioned(name, form), form, "handle");
  }
}
