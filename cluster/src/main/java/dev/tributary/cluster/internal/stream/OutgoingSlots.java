package dev.tributary.cluster.internal.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.internal.memory.Memory;
import dev.tributary.internal.memory.MemoryAccount;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.time.IdleLooks;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Timer;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory by which tensors get to the other side of one connection. Slots are used again and
 * again; which ones there are follows from what is sent. Guarded by its own monitor, under which no
 * element is copied.
 */
final class OutgoingSlots implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutgoingSlots.class);

  /**
   * Slots that the other side holds for long, and sizes that are no longer used, must not add up.
   */
  private static final long MOST_BYTES = 1L << 30;

  /** From here on shared memory is faster than the socket. */
  private static final long LEAST_BYTES = 1 << 15;

  /** So much at a time, for the virtual machine to stop this thread if it must. */
  private static final long CHUNK = 1 << 20;

  /**
   * The place of elements for the other side.
   *
   * @param file what to open first, if it does not know the slot yet
   */
  record Place(int slot, Optional<String> file) {}

  private static final class Slot {
    final int id;
    final SharedSlot memory;

    /** True while elements are copied there or a tensor is lent. */
    boolean ours = true;

    /** True once the other side knows it. */
    boolean known;

    /** True if it was taken since the last look. */
    boolean used = true;

    /** The tensor that owns its memory until it is sent or released. */
    Optional<Loan> loan = Optional.empty();

    Slot(int id, SharedSlot memory) {
      this.id = id;
      this.memory = memory;
    }

    /** Not one that is much too large: that one will be missed. */
    boolean fits(long bytes) {
      return memory.capacity() >= bytes && memory.capacity() / 2 <= bytes;
    }
  }

  /** The memory of one tensor: the slot may hold the next one before this one is closed. */
  private static final class Loan {
    boolean isOver;
  }

  private final MemoryAccount account;
  private final long mostBytes;
  private final IdleLooks looks;

  /** Those that were used last are at the end. */
  @GuardedBy("this")
  private final List<Slot> slots = new ArrayList<>();

  @GuardedBy("this")
  private long slotBytes;

  @GuardedBy("this")
  private int lastId;

  @GuardedBy("this")
  private boolean closed;

  /**
   * @param account counts the slots
   */
  OutgoingSlots(MemoryAccount account) {
    this(account, MOST_BYTES, ThreadTimer.shared());
  }

  /**
   * @param timer repeats the look for slots that nobody needs
   */
  OutgoingSlots(MemoryAccount account, long mostBytes, Timer timer) {
    this.account = account;
    this.mostBytes = mostBytes;
    this.looks = new IdleLooks(timer, this::dropIdle);
  }

  /**
   * A tensor with undefined contents that lies where the other side will find it; empty if it is
   * small or if there is no memory for that.
   */
  Optional<Tensor> allocate(DataType type, Shape shape) {
    long count = shape.elementCount();
    if (!Values.isPlain(type) || count > SharedSlot.LARGEST || count * type.size() < LEAST_BYTES) {
      return Optional.empty();
    }
    return take(count * type.size()).map(slot -> lend(slot, type, shape));
  }

  /**
   * Brings a tensor's elements to where the other side finds them; empty if they are few or if
   * there is no memory for that. A tensor of {@link #allocate} that nobody else holds lies there
   * already: nobody may look at its elements any more.
   */
  Optional<Place> put(Tensor tensor) {
    if (tensor.byteSize() < LEAST_BYTES) {
      return Optional.empty();
    }
    Optional<Place> there =
        tensor.isExclusive() ? handOver(tensor.storage().address()) : Optional.empty();
    return there.isPresent() ? there : copy(tensor.storage().address(), tensor.byteSize());
  }

  private synchronized Tensor lend(Slot slot, DataType type, Shape shape) {
    Loan loan = new Loan();
    slot.loan = Optional.of(loan);
    return SharedTensors.over(type, shape, slot.memory.address(), () -> released(slot, loan));
  }

  private synchronized Optional<Place> handOver(long address) {
    for (Slot slot : slots) {
      if (slot.loan.isPresent() && slot.memory.address() == address) {
        slot.loan.get().isOver = true;
        slot.loan = Optional.empty();
        return Optional.of(filled(slot));
      }
    }
    return Optional.empty();
  }

  /** A tensor of ours is gone without being sent, or long after. */
  private synchronized void released(Slot slot, Loan loan) {
    if (loan.isOver) {
      return;
    }
    slot.loan = Optional.empty();
    slot.memory.release();
    letGo(slot);
  }

  private Optional<Place> copy(long address, long bytes) {
    return take(bytes).map(slot -> fill(slot, address, bytes));
  }

  private Place fill(Slot slot, long address, long bytes) {
    long to = slot.memory.address();
    for (long position = 0; position < bytes; position += CHUNK) {
      Memory.copy(address + position, to + position, Math.min(CHUNK, bytes - position));
    }
    return filled(slot);
  }

  private Optional<Slot> take(long bytes) {
    Optional<Slot> free = takeFree(bytes);
    return free.isPresent() ? free : create(bytes);
  }

  private synchronized Optional<Slot> takeFree(long bytes) {
    if (closed) {
      return Optional.empty();
    }
    Slot best = null;
    for (Slot slot : slots) {
      boolean better = best == null || slot.memory.capacity() < best.memory.capacity();
      if (better && slot.fits(bytes) && slot.memory.isFree()) {
        best = slot;
      }
    }
    if (best == null || !best.memory.take()) {
      return Optional.empty();
    }
    best.ours = true;
    best.used = true;
    slots.remove(best);
    slots.add(best);
    return Optional.of(best);
  }

  private Optional<Slot> create(long bytes) {
    if (bytes > Math.min(SharedSlot.LARGEST, mostBytes)) {
      return Optional.empty();
    }
    if (!account.tryReserve(bytes)) {
      LOG.debug("{} bytes go by socket: shared memory has its limit", bytes);
      return Optional.empty();
    }
    try {
      return add(SharedSlot.create(bytes));
    } catch (IOException e) {
      account.release(bytes);
      LOG.debug("{} bytes go by socket: {}", bytes, e.toString());
      return Optional.empty();
    }
  }

  private synchronized Optional<Slot> add(SharedSlot memory) {
    lastId++;
    Slot slot = new Slot(lastId, memory);
    if (closed || !makesRoom(memory.capacity())) {
      dropName(slot);
      unmap(slot);
      return Optional.empty();
    }
    slots.add(slot);
    slotBytes += memory.capacity();
    looks.begin();
    return Optional.of(slot);
  }

  /** Lets go of what was not used for longest, of free slots first; not of what is in our hands. */
  @GuardedBy("this")
  private boolean makesRoom(long bytes) {
    for (boolean freeOnly : new boolean[] {true, false}) {
      Iterator<Slot> oldest = slots.iterator();
      while (slotBytes + bytes > mostBytes && oldest.hasNext()) {
        Slot slot = oldest.next();
        if (!slot.ours && (slot.memory.isFree() || !freeOnly)) {
          oldest.remove();
          drop(slot);
        }
      }
    }
    return slotBytes + bytes <= mostBytes;
  }

  /** Drops free slots that were not used since the last look; returns whether some are left. */
  private synchronized boolean dropIdle() {
    Iterator<Slot> all = slots.iterator();
    while (all.hasNext()) {
      Slot slot = all.next();
      if (!slot.used && !slot.ours && slot.memory.isFree()) {
        all.remove();
        drop(slot);
      }
      slot.used = false;
    }
    return !slots.isEmpty();
  }

  @GuardedBy("this")
  private void drop(Slot slot) {
    slotBytes -= slot.memory.capacity();
    slot.memory.abandon();
    if (!slot.known) {
      dropName(slot);
    }
    unmap(slot);
  }

  private void unmap(Slot slot) {
    account.release(slot.memory.capacity());
    slot.memory.close();
  }

  private synchronized Place filled(Slot slot) {
    Optional<String> file = slot.known ? Optional.empty() : Optional.of(slot.memory.path());
    slot.known = true;
    letGo(slot);
    return new Place(slot.id, file);
  }

  @GuardedBy("this")
  private void letGo(Slot slot) {
    slot.ours = false;
    if (closed) {
      unmap(slot);
    }
  }

  /** Nothing more will be sent. What has been received stays with the other side. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (Slot slot : slots) {
      dropName(slot);
      if (!slot.ours) {
        unmap(slot);
      }
    }
    slots.clear();
  }

  private static void dropName(Slot slot) {
    try {
      slot.memory.dropName();
    } catch (IOException e) {
      LOG.debug("{} stays: {}", slot.memory.path(), e.toString());
    }
  }
}
