package dev.tributary.cluster.stream;

import dev.tributary.tensor.Memory;
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

  /** What the other side takes for long, and sizes that come no more, must not add up for ever. */
  private static final long MOST_BYTES = 1L << 30;

  /** So much at a time, for the virtual machine to stop this thread if it must. */
  private static final long CHUNK = 1 << 20;

  /**
   * Where elements lie for the other side.
   *
   * @param file what to open first, if it does not know the slot yet
   */
  record Place(int slot, Optional<String> file) {}

  private static final class Slot {
    final int id;
    final SharedSlot memory;
    boolean filling = true;

    Slot(int id, SharedSlot memory) {
      this.id = id;
      this.memory = memory;
    }

    /** Not one that is much too large: that one will be missed. */
    boolean fits(long bytes) {
      return memory.capacity() >= bytes && memory.capacity() / 2 <= bytes;
    }
  }

  private final long mostBytes;

  /** Those that were used last are at the end. */
  private final List<Slot> slots = new ArrayList<>();

  private long slotBytes;
  private int lastId;
  private boolean closed;

  OutgoingSlots() {
    this(MOST_BYTES);
  }

  OutgoingSlots(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Copies elements to where the other side finds them; empty if there is no memory for that. */
  Optional<Place> put(long address, long bytes) {
    Optional<Slot> known = takeFree(bytes);
    Optional<Slot> slot = known.isPresent() ? known : create(bytes);
    slot.ifPresent(to -> fill(to, address, bytes));
    return slot.map(
        to ->
            new Place(to.id, known.isPresent() ? Optional.empty() : Optional.of(to.memory.path())));
  }

  private void fill(Slot slot, long address, long bytes) {
    try {
      long to = slot.memory.address();
      for (long position = 0; position < bytes; position += CHUNK) {
        Memory.copy(address + position, to + position, Math.min(CHUNK, bytes - position));
      }
    } finally {
      filled(slot);
    }
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
    best.filling = true;
    slots.remove(best);
    slots.add(best);
    return Optional.of(best);
  }

  private Optional<Slot> create(long bytes) {
    if (bytes > Math.min(SharedSlot.LARGEST, mostBytes)) {
      return Optional.empty();
    }
    try {
      return add(SharedSlot.create(bytes));
    } catch (IOException e) {
      LOG.debug("{} bytes go by socket: {}", bytes, e.toString());
      return Optional.empty();
    }
  }

  private synchronized Optional<Slot> add(SharedSlot memory) throws IOException {
    if (closed) {
      memory.dropName();
      memory.close();
      return Optional.empty();
    }
    makeRoom(memory.capacity());
    lastId++;
    Slot slot = new Slot(lastId, memory);
    slots.add(slot);
    slotBytes += memory.capacity();
    return Optional.of(slot);
  }

  /** Lets go of what was not used for longest, of free slots first. */
  private void makeRoom(long bytes) {
    for (boolean freeOnly : new boolean[] {true, false}) {
      Iterator<Slot> oldest = slots.iterator();
      while (slotBytes + bytes > mostBytes && oldest.hasNext()) {
        Slot slot = oldest.next();
        if (!slot.filling && (slot.memory.isFree() || !freeOnly)) {
          oldest.remove();
          slotBytes -= slot.memory.capacity();
          slot.memory.abandon();
          slot.memory.close();
        }
      }
    }
  }

  private synchronized void filled(Slot slot) {
    slot.filling = false;
    if (closed) {
      slot.memory.close();
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
      try {
        slot.memory.dropName();
      } catch (IOException e) {
        LOG.debug("{} stays: {}", slot.memory.path(), e.toString());
      }
      if (!slot.filling) {
        slot.memory.close();
      }
    }
    slots.clear();
  }
}
