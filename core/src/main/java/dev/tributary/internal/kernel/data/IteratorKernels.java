package dev.tributary.internal.kernel.data;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.OwningKernel;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.internal.tensor.IteratorState;
import dev.tributary.internal.tensor.OptionalTensors;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/** The kernels of ops that make iterators, begin them and get elements from them. */
public final class IteratorKernels {
  private static final HandleForm FORM = HandleForm.RESOURCE;

  private static final AtomicLong NEXT_ANONYMOUS = new AtomicLong();

  private IteratorKernels() {}

  public static Kernel iterator(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    ResourceName name = ResourceName.sharedOrPrivate(node);
    return FORM.maker(
        node,
        name,
        IteratorResource.class,
        () -> new IteratorResource(node.name(), spec),
        made -> spec.requireCompatible(made.spec()));
  }

  /** A new iterator with each call, for whoever has its handle; {@link #delete} ends it. */
  public static Kernel anonymous(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    return c -> {
      String name = "_anonymous_" + NEXT_ANONYMOUS.getAndIncrement() + "_" + node.name();
      c.device().resources().container("").add(name, new IteratorResource(node.name(), spec));
      c.setOutput(0, handle(node, name, IteratorResource.class.getSimpleName()));
      if (node.outputTypes().size() > 1) {
        c.setOutput(1, deleter());
      }
    };
  }

  public static Kernel delete(KernelNode node) {
    return c -> {
      ResourceHandle handle = ResourceHandle.ofInput(c, 0);
      c.device().resources().container(handle.container()).remove(handle.name());
    };
  }

  /**
   * A handle of something that datasets keep themselves, such as a memory cache or seeds: stock
   * graphs make one for the ops that take it.
   */
  public static Kernel placeholder(KernelNode node) {
    return c -> {
      c.setOutput(0, handle(node, node.name(), node.op()));
      if (node.outputTypes().size() > 1) {
        c.setOutput(1, deleter());
      }
    };
  }

  public static Kernel deletePlaceholder(KernelNode node) {
    return c -> ResourceHandle.ofInput(c, 0);
  }

  private static Tensor handle(KernelNode node, String name, String type) {
    return Tensor.ofObjects(
        DataType.RESOURCE,
        Shape.scalar(),
        new ResourceHandle(node.device().name(), "", name, type));
  }

  /** The deleter of a resource, for its last reference's end; here the session deletes it. */
  private static Tensor deleter() {
    return Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), new Object[] {null});
  }

  public static Kernel device(KernelNode node) {
    return c -> c.setOutput(0, Tensor.scalar(ResourceHandle.ofInput(c, 0).device()));
  }

  public static Kernel makeIterator(KernelNode node) {
    Executor pool = node.functions().pool();
    return c ->
        FORM.lookup(c, 1, IteratorResource.class).initialise(Dataset.input(c, 0), c.device(), pool);
  }

  /** The handle as text, which is valid in this process. */
  public static Kernel toStringHandle(KernelNode node) {
    return c -> {
      ResourceHandle handle = ResourceHandle.ofInput(c, 0);
      FORM.lookup(c, IteratorResource.class);
      c.setOutput(
          0, Tensor.scalar(String.join("\n", handle.device(), handle.container(), handle.name())));
    };
  }

  /** The types and shapes of the node may be left out; others must be those of the iterator. */
  public static Kernel fromStringHandle(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    return c -> {
      String[] parts = handleParts(c.input(0));
      ResourceHandle handle =
          new ResourceHandle(parts[0], parts[1], parts[2], IteratorResource.class.getSimpleName());
      if (!handle.device().equals(c.device().name())) {
        throw TributaryException.invalidArgument(
            "iterator '%s' is on device %s and cannot be used from device %s",
            handle.name(), handle.device(), c.device().name());
      }
      IteratorResource iterator =
          c.device()
              .resources()
              .container(handle.container())
              .lookup(handle.name(), IteratorResource.class);
      if (!spec.types().isEmpty()) {
        spec.requireCompatible(iterator.spec());
      }
      c.setOutput(0, Tensor.ofObjects(DataType.RESOURCE, Shape.scalar(), handle));
    };
  }

  private static String[] handleParts(Tensor text) {
    String[] parts = text.rank() == 0 ? text.stringValue().split("\n", -1) : new String[0];
    if (parts.length != 3) {
      throw TributaryException.invalidArgument(
          "string_handle must be what IteratorToStringHandle of this session returned, got %s",
          text.rank() == 0 ? "'" + text.stringValue() + "'" : "shape " + text.shape());
    }
    return parts;
  }

  /** The report of the pipeline, as TensorFlow's message. */
  public static Kernel model(KernelNode node) {
    return c -> {
      byte[] report = FORM.lookup(c, IteratorResource.class).report().toBytes();
      c.setOutput(0, Tensor.ofObjects(DataType.STRING, Shape.scalar(), report));
    };
  }

  public static AsyncKernel next(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    return (Asynchronous)
        (c, done) ->
            FORM.lookup(c, IteratorResource.class)
                .next(
                    c.step().cancellation(),
                    components -> setOutputs(c, spec, components),
                    () -> {
                      throw TributaryException.outOfRange("End of sequence");
                    },
                    done);
  }

  public static AsyncKernel nextAsOptional(KernelNode node) {
    ElementSpec spec = ElementSpec.of(node);
    return (Asynchronous)
        (c, done) ->
            FORM.lookup(c, IteratorResource.class)
                .next(
                    c.step().cancellation(),
                    components -> {
                      try {
                        spec.requireElement(components);
                        setOptional(c, OptionalTensors.of(List.of(components)));
                      } catch (RuntimeException e) {
                        Elements.close(components);
                        throw e;
                      }
                    },
                    () -> setOptional(c, OptionalTensors.none()),
                    done);
  }

  /** The state, in a vector of one variant. */
  public static AsyncKernel serialize(KernelNode node) {
    return (Asynchronous)
        (c, done) ->
            FORM.lookup(c, IteratorResource.class)
                .save(
                    c.step().cancellation(),
                    state -> c.setOutput(0, Tensor.ofObjects(DataType.VARIANT, Shape.of(1), state)),
                    done);
  }

  public static Kernel deserialize(KernelNode node) {
    Executor pool = node.functions().pool();
    return c -> {
      Tensor serialized = c.input(1);
      if (serialized.elementCount() != 1
          || !(serialized.objects()[0] instanceof IteratorState state)) {
        throw TributaryException.invalidArgument(
            "serialized must be what SerializeIterator of Tributary returned: a vector of one"
                + " variant, got shape %s; the state of TensorFlow's own iterators has another"
                + " form",
            serialized.shape());
      }
      FORM.lookup(c, IteratorResource.class).restore(state, c.device(), pool);
    };
  }

  /** An asynchronous kernel that is one method. */
  private interface Asynchronous extends AsyncKernel {}

  private static void setOptional(KernelContext c, OptionalTensors value) {
    c.setOutput(0, Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), value));
  }

  private static void setOutputs(KernelContext c, ElementSpec spec, Tensor[] components) {
    try {
      spec.requireElement(components);
    } catch (RuntimeException e) {
      Elements.close(components);
      throw e;
    }
    for (int i = 0; i < components.length; i++) {
      c.setOutput(i, components[i]);
    }
  }

  // ---- one-shot iterators ----

  public static Kernel oneShot(KernelNode node) {
    return new OneShot(node);
  }

  /**
   * Makes an iterator over the dataset that a function returns, with the first call; those that
   * come meanwhile wait. Guarded by its own monitor.
   */
  private static final class OneShot implements OwningKernel, AsyncKernel {
    private record Waiting(KernelContext call, Completion done) {}

    private final KernelNode node;
    private final ResourceName name;
    private final ElementSpec spec;
    private final CapturedFunction.Retained factory;

    @GuardedBy("this")
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private boolean started;

    @GuardedBy("this")
    private boolean made;

    OneShot(KernelNode node) {
      this.node = node;
      this.name = ResourceName.sharedOrPrivate(node);
      this.spec = ElementSpec.of(node);
      this.factory =
          node.functions()
              .instantiate(
                  (AttrValue.Function) node.attributes().find("dataset_factory").orElseThrow(),
                  node.device().name())
              .retain();
    }

    @Override
    public void computeAsync(KernelContext context, Completion done) {
      boolean isFirst;
      synchronized (this) {
        waiting.add(new Waiting(context, done));
        isFirst = !started;
        started = true;
      }
      if (!isFirst) {
        answer();
        return;
      }
      factory.callHere(
          Elements.NONE,
          context.step().cancellation(),
          new CapturedFunction.Completion() {
            @Override
            public void succeed(Tensor[] results) {
              Optional<RuntimeException> problem = Optional.empty();
              try {
                IteratorResource iterator = new IteratorResource(node.name(), spec);
                iterator.initialise(Dataset.in(results[0]), node.device(), node.functions().pool());
                node.device().resources().container(name.container()).add(name.name(), iterator);
              } catch (RuntimeException e) {
                problem = Optional.of(e);
              }
              Elements.close(results);
              ended(problem);
            }

            @Override
            public void fail(RuntimeException why) {
              ended(Optional.of(why));
            }
          });
    }

    private void ended(Optional<RuntimeException> problem) {
      synchronized (this) {
        made = problem.isEmpty();
        started = made; // After a failure the next step tries again.
      }
      answerAll(problem);
    }

    private void answer() {
      synchronized (this) {
        if (!made) {
          return;
        }
      }
      answerAll(Optional.empty());
    }

    private void answerAll(Optional<RuntimeException> problem) {
      Deque<Waiting> all;
      synchronized (this) {
        all = new ArrayDeque<>(waiting);
        waiting.clear();
      }
      for (Waiting one : all) {
        if (problem.isPresent()) {
          one.done().fail(problem.get());
        } else {
          one.call().setOutput(0, handle());
          one.done().succeed();
        }
      }
    }

    private Tensor handle() {
      return Tensor.ofObjects(
          DataType.RESOURCE,
          Shape.scalar(),
          new ResourceHandle(
              node.device().name(),
              name.container(),
              name.name(),
              IteratorResource.class.getSimpleName()));
    }

    @Override
    public void compute(KernelContext context) {
      AsyncKernel.super.compute(context);
    }

    @Override
    public void close() {
      node.device().resources().container(name.container()).remove(name.name());
      factory.close();
    }
  }
}
