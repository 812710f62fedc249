package dev.tributary.cluster.internal.worker;

import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.tensor.Tensor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * The bytes of tensors that have gone to and come from each peer since this task started, however
 * they travelled. Safe for use by many threads.
 */
public final class Traffic {
  /** Callers choose the names of peers, so there may be only so many. */
  private static final int MOST_PEERS = 10_000;

  private final Map<TaskName, Link> links = new ConcurrentHashMap<>();

  /** The bytes to and from one peer. */
  record Link(LongAdder sent, LongAdder received) {
    Link() {
      this(new LongAdder(), new LongAdder());
    }
  }

  /** A receiver that counts the bytes of a value before it passes it on. */
  record CountedReceiver(Rendezvous.Receiver target, LongAdder bytes)
      implements Rendezvous.Receiver {
    @Override
    public void received(Optional<Tensor> value) {
      count(value, bytes);
      target.received(value);
    }

    @Override
    public void failed(RuntimeException failure) {
      target.failed(failure);
    }
  }

  static void count(Optional<Tensor> value, LongAdder bytes) {
    if (value.isPresent()) {
      bytes.add(value.get().byteSize());
    }
  }

  /** The counters of a peer; a peer too many gets counters that nobody reads. */
  Link with(TaskName peer) {
    Link known = links.get(peer);
    if (known != null) {
      return known;
    }
    return links.size() < MOST_PEERS ? links.computeIfAbsent(peer, task -> new Link()) : new Link();
  }

  /** The counters of the peer that has this device; a device of no task counts for nobody. */
  Link withTaskOf(DeviceSpec device) {
    return device.job().isPresent() && device.task().isPresent()
        ? with(new TaskName(device.job().get(), device.task().getAsInt()))
        : new Link();
  }

  public Map<TaskName, Long> sent() {
    return bytes(Link::sent);
  }

  public Map<TaskName, Long> received() {
    return bytes(Link::received);
  }

  private Map<TaskName, Long> bytes(Function<Link, LongAdder> direction) {
    Map<TaskName, Long> bytes = new HashMap<>();
    links.forEach((peer, link) -> bytes.put(peer, direction.apply(link).sum()));
    return bytes;
  }
}
