package dev.tributary.internal.collective;

import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.memory.Memory;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * TensorFlow's all-reduce on rings. The value is cut into as many pieces as there are members, for
 * each subdivision. In the first pass a piece goes from member to member, and each adds its own;
 * the member before the one where it began finishes it. In the second pass the result goes around.
 * A member thus sends and receives twice the bytes of its value at most, whatever the group's size,
 * and each piece is summed in one order, so that all members have the same bits.
 *
 * <p>All chunks are asked for at once. That a piece of the second pass overwrites what was sent in
 * the first is safe: it cannot come before the next member has used what it was sent.
 *
 * @param offsets of the subdivisions' rings
 */
record RingReduce(List<Integer> offsets) implements CollectiveAlgorithm {
  @Override
  public void start(Exchange exchange) {
    for (int s = 0; s < offsets.size(); s++) {
      RingOrder ring = RingOrder.of(exchange.group(), offsets.get(s), exchange.rank());
      new Subdivision(exchange, ring, chunks(exchange), s, offsets.size()).start();
    }
  }

  private RingChunks chunks(Exchange exchange) {
    CollectiveCall call = exchange.call();
    return new RingChunks(
        call.shape().elementCount(), call.type().size(), exchange.group().size() * offsets.size());
  }

  private record Subdivision(
      Exchange exchange, RingOrder ring, RingChunks chunks, int number, int count) {
    void start() {
      for (int chunk = 0; chunk < ring.size(); chunk++) {
        int field = chunk * count + number;
        if (chunks.size(field) > 0) {
          addUp(chunk, field);
          takeResult(chunk, field);
        }
      }
    }

    private void addUp(int chunk, int field) {
      long offset = chunks.offset(field);
      if (ring.isBefore(chunk, 0)) {
        send(0, field, exchange.source() + offset);
        return;
      }
      receive(
          0,
          field,
          theirs -> {
            long sum = exchange.target() + offset;
            Reducer reducer = new Reducer(exchange.call());
            reducer.merge(exchange.source() + offset, theirs, sum, chunks.size(field));
            if (ring.isBefore(chunk, 1)) {
              reducer.finish(sum, chunks.size(field), ring.size());
              send(1, field, sum);
            } else {
              send(0, field, sum);
            }
          });
    }

    private void takeResult(int chunk, int field) {
      if (ring.isBefore(chunk, 1)) {
        return;
      }
      receive(
          1,
          field,
          result -> {
            long place = exchange.target() + chunks.offset(field);
            Memory.copy(result, place, chunks.bytes(field));
            if (!ring.isBefore(chunk, 2)) {
              send(1, field, place);
            }
          });
    }

    private void send(int pass, int field, long address) {
      exchange.send(ring.next(), key(pass, field, ring.position()), address, chunks.bytes(field));
    }

    private void receive(int pass, int field, LongConsumer use) {
      exchange.receive(
          ring.previous(), key(pass, field, ring.previousPosition()), chunks.bytes(field), use);
    }

    private String key(int pass, int field, int position) {
      return exchange.call().keys().execution() + ":" + pass + ":" + field + ":" + position;
    }
  }
}
