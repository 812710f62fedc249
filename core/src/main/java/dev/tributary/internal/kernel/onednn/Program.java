package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_get_size;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_destroy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_primitive;

/**
 * Prepared primitives that run one after the other over common tensors. The caller's tensors are
 * the first slots, in the order of {@link ProgramBuilder#tensor}; temporary ones and scratchpads
 * lie one behind the other in a buffer of a {@link ScratchPool}.
 *
 * <p>Thread-safe: each call at once has a {@link ProgramCall} of its own, which is kept for the
 * next. Closing frees what is idle, and what is busy as soon as it is done.
 */
final class Program implements AutoCloseable {
  /** The location of a slot's tensor. */
  enum Place {
    /** At an address that the caller gives. */
    GIVEN,
    /** In the scratch buffer, {@code position} bytes from its beginning. */
    SCRATCH,
    /** At the address {@code position}, always; nobody writes there. */
    CONSTANT
  }

  record Slot(dnnl_memory_desc layout, Place place, long position) {}

  /** A primitive, and for each of its arguments the name and the slot. */
  record Step(dnnl_primitive primitive, int[] names, int[] slots) {}

  private final List<Slot> slots;
  private final List<Step> steps;
  private final List<dnnl_memory_desc> layouts;
  private final long scratchBytes;
  private final ScratchPool scratch;

  @GuardedBy("this")
  private final ArrayDeque<ProgramCall> idle = new ArrayDeque<>();

  @GuardedBy("this")
  private int users;

  @GuardedBy("this")
  private boolean closed;

  Program(
      List<Slot> slots,
      List<Step> steps,
      List<dnnl_memory_desc> layouts,
      long scratchBytes,
      ScratchPool scratch) {
    this.slots = List.copyOf(slots);
    this.steps = List.copyOf(steps);
    this.layouts = List.copyOf(layouts);
    this.scratchBytes = scratchBytes;
    this.scratch = scratch;
  }

  /** Promises a run: until it is over, closing frees nothing. */
  synchronized void hold() {
    users++;
  }

  /** Runs all steps on tensors at these addresses, and ends one {@link #hold}. */
  void runHeld(long... addresses) {
    try {
      final ProgramCall call = take();
      if (scratchBytes == 0) {
        call.run(0, addresses);
      } else {
        final ScratchPool.Buffer buffer = scratch.take(scratchBytes);
        call.run(buffer.address(), addresses);
        scratch.give(buffer);
      }
      give(call);
    } finally {
      release();
    }
  }

  /** The size of the layout of one of the caller's tensors; ends one {@link #hold}. */
  long bytesHeld(int tensor) {
    try {
      return dnnl_memory_desc_get_size(slots.get(tensor).layout());
    } finally {
      release();
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      freeIfUnused();
    }
  }

  private ProgramCall take() {
    synchronized (this) {
      final ProgramCall call = idle.pollFirst();
      if (call != null) {
        return call;
      }
    }
    return new ProgramCall(slots, steps);
  }

  private synchronized void give(ProgramCall call) {
    idle.addFirst(call);
  }

  private synchronized void release() {
    users--;
    freeIfUnused();
  }

  @GuardedBy("this")
  private void freeIfUnused() {
    if (!closed || users > 0) {
      return;
    }
    idle.forEach(ProgramCall::free);
    idle.clear();
    steps.forEach(step -> dnnl_primitive_destroy(step.primitive()));
    layouts.forEach(layout -> dnnl_memory_desc_destroy(layout));
  }
}
