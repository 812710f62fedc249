package dev.tributary.internal.kernel;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A value that lives across steps. Reading hands out the tensor itself, without a copy; writing
 * replaces it, or changes it in place when no reader holds it. Guarded by its own lock, so an
 * update is never lost; {@link Locked} takes several variables' locks in one order, so updates of
 * many cannot deadlock.
 */
public final class VariableResource implements Resource {
  private static final AtomicLong NEXT = new AtomicLong();

  private final long order = NEXT.getAndIncrement();
  private final ReentrantLock lock = new ReentrantLock();
  private final String name;
  private final DataType type;
  private final Shape shape;

  @GuardedBy("lock")
  private Tensor value;

  public VariableResource(String name, DataType type) {
    this(name, type, Shape.unknown());
  }

  /**
   * A variable that is declared to have a shape, as far as it is known; its value may be given
   * another one on purpose.
   */
  public VariableResource(String name, DataType type, Shape shape) {
    this.name = name;
    this.type = type;
    this.shape = shape;
  }

  public String name() {
    return name;
  }

  public DataType type() {
    return type;
  }

  /** The declared shape. */
  public Shape shape() {
    return shape;
  }

  public boolean isInitialized() {
    lock.lock();
    try {
      return value != null;
    } finally {
      lock.unlock();
    }
  }

  /** Fails with FAILED_PRECONDITION if there is no value yet. */
  public void requireInitialized() {
    lock.lock();
    try {
      initialized();
    } finally {
      lock.unlock();
    }
  }

  /** The present value with a reference of its own. */
  public Tensor read() {
    lock.lock();
    try {
      return initialized().retain();
    } finally {
      lock.unlock();
    }
  }

  /** The present value with a reference of its own, if there is one. */
  public Optional<Tensor> readIfInitialized() {
    lock.lock();
    try {
      return Optional.ofNullable(value).map(Tensor::retain);
    } finally {
      lock.unlock();
    }
  }

  /** Replaces the value; the reference of {@code newValue} goes over to the variable. */
  public void assign(Tensor newValue) {
    lock.lock();
    try {
      replace(newValue);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Locks this variable and the others until the result is closed, in an order that all callers
   * share.
   */
  public static Locked lock(VariableResource... variables) {
    return new Locked(variables);
  }

  @Override
  public String kind() {
    return "variables";
  }

  /** Without the lock, for which whoever asks must not wait: a tensor's size never changes. */
  @Override
  @SuppressWarnings("GuardedBy")
  public long heldBytes() {
    Tensor seen = value;
    return seen == null ? 0 : SharedTensors.countedBytes(seen);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      replace(null);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void replace(Tensor newValue) {
    Tensor old = value;
    value = newValue == null ? null : SharedTensors.take(newValue);
    if (old != null) {
      old.close();
    }
  }

  @GuardedBy("lock")
  private Tensor initialized() {
    if (value == null) {
      throw TributaryException.failedPrecondition(
          "Attempting to use uninitialized value %s: run tf.globalVariablesInitializer() first, or"
              + " restore a checkpoint",
          name);
    }
    return value;
  }

  /** Exclusive access to some variables, by the thread that took it. */
  @SuppressWarnings("GuardedBy") // Its constructor takes the locks and close gives them back.
  public static final class Locked implements AutoCloseable {
    private final VariableResource[] held;

    private Locked(VariableResource[] variables) {
      held = variables.clone();
      if (held.length > 1) {
        Arrays.sort(held, Comparator.comparingLong(v -> v.order));
      }
      for (VariableResource variable : held) {
        variable.lock.lock();
      }
    }

    public boolean isInitialized(VariableResource variable) {
      return variable.value != null;
    }

    /** The value for reading, borrowed until this closes. */
    public Tensor value(VariableResource variable) {
      return variable.initialized();
    }

    /**
     * The value for writing in place, borrowed until this closes: a copy takes its place first if a
     * reader holds it.
     */
    public Tensor writable(VariableResource variable, Allocator allocator) {
      Tensor current = variable.initialized();
      if (!current.isExclusive()) {
        variable.replace(copyOf(current, allocator));
      }
      return variable.value;
    }

    /** Replaces the value; the reference of {@code newValue} goes over to the variable. */
    public void assign(VariableResource variable, Tensor newValue) {
      variable.replace(newValue);
    }

    @Override
    public void close() {
      for (int i = held.length - 1; i >= 0; i--) {
        held[i].lock.unlock();
      }
    }

    private static Tensor copyOf(Tensor original, Allocator allocator) {
      if (original.type().isObject()) {
        Object[] elements = original.objects().clone();
        for (Object element : elements) {
          Variant.share(element);
        }
        Tensor copy = Tensor.ofObjects(original.type(), original.shape(), elements);
        try {
          SharedTensors.countStrings(copy, allocator.budget());
        } catch (TributaryException e) {
          copy.close();
          throw e;
        }
        return copy;
      }
      Tensor copy = SharedTensors.allocate(allocator, original.type(), original.shape());
      Memory.copy(original.storage().address(), copy.storage().address(), original.byteSize());
      return copy;
    }
  }
}
