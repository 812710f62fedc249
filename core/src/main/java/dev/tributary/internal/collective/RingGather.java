package dev.tributary.internal.collective;

import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.memory.Memory;

/**
 * TensorFlow's all-gather on a ring: each member's value goes around once, and all keep it in the
 * slot of its rank.
 */
record RingGather() implements CollectiveAlgorithm {
  @Override
  public void start(Exchange exchange) {
    CollectiveCall call = exchange.call();
    long bytes = call.shape().elementCount() * call.type().size();
    RingOrder ring = RingOrder.of(exchange.group(), 0, exchange.rank());
    long own = exchange.target() + exchange.rank() * bytes;
    Memory.copy(exchange.source(), own, bytes);
    if (bytes == 0) {
      return;
    }
    for (int slot = 0; slot < ring.size(); slot++) {
      if (ring.isBefore(slot, 0)) {
        send(exchange, ring, slot, own, bytes);
      } else {
        takeSlot(exchange, ring, slot, bytes);
      }
    }
  }

  private static void takeSlot(Exchange exchange, RingOrder ring, int slot, long bytes) {
    exchange.receive(
        ring.previous(),
        key(exchange, slot, ring.previousPosition()),
        bytes,
        value -> {
          long place = exchange.target() + slot * bytes;
          Memory.copy(value, place, bytes);
          if (!ring.isBefore(slot, 1)) {
            send(exchange, ring, slot, place, bytes);
          }
        });
  }

  private static void send(Exchange exchange, RingOrder ring, int slot, long address, long bytes) {
    exchange.send(ring.next(), key(exchange, slot, ring.position()), address, bytes);
  }

  private static String key(Exchange exchange, int slot, int position) {
    return exchange.call().keys().execution() + ":0:" + slot + ":" + position;
  }
}
