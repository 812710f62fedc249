package dev.tributary.internal.collective;

import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Collectives in one round, in which each member sends something to each other one: all of its
 * value for a reduction of few bytes, or the receiver's part of it. TensorFlow's tasks do not know
 * these.
 */
final class DirectExchange {
  private DirectExchange() {}

  /**
   * Reduces at all members: all bytes to everybody, which takes one way instead of one for each
   * member twice.
   */
  static void reduce(Exchange exchange) {
    long bytes = bytes(exchange.call());
    sendAll(exchange, bytes, to -> 0);
    new Fold(exchange, 0, bytes).receiveAll();
  }

  /** Reduces each part of the value at the member that has its rank. */
  static void reduceScatter(Exchange exchange) {
    long part = bytes(exchange.call()) / exchange.group().size();
    sendAll(exchange, part, to -> to * part);
    new Fold(exchange, exchange.rank() * part, part).receiveAll();
  }

  /** Gives part {@code i} of each member's value to rank {@code i}, which puts them in order. */
  static void allToAll(Exchange exchange) {
    long part = bytes(exchange.call()) / exchange.group().size();
    int own = exchange.rank();
    Memory.copy(exchange.source() + own * part, exchange.target() + own * part, part);
    sendAll(exchange, part, to -> to * part);
    for (int from = 0; part > 0 && from < exchange.group().size(); from++) {
      if (from != own) {
        long place = exchange.target() + from * part;
        exchange.receive(
            from, key(exchange, from, own), part, value -> Memory.copy(value, place, part));
      }
    }
  }

  private interface PartOf {
    long offset(int rank);
  }

  private static void sendAll(Exchange exchange, long bytes, PartOf part) {
    for (int to = 0; bytes > 0 && to < exchange.group().size(); to++) {
      if (to != exchange.rank()) {
        long address = exchange.source() + part.offset(to);
        exchange.send(to, key(exchange, exchange.rank(), to), address, bytes);
      }
    }
  }

  private static String key(Exchange exchange, int from, int to) {
    return exchange.call().keys().execution() + ":" + from + ":" + to;
  }

  private static long bytes(CollectiveCall call) {
    return call.shape().elementCount() * call.type().size();
  }

  /**
   * The values of all members for one part, which are joined in the order of ranks when the last
   * one is there, so that all members have the same bits.
   */
  private static final class Fold {
    private final Exchange exchange;
    private final long offset;
    private final long bytes;
    private final AtomicReferenceArray<Tensor> values;
    private final AtomicInteger missing;

    Fold(Exchange exchange, long offset, long bytes) {
      this.exchange = exchange;
      this.offset = offset;
      this.bytes = bytes;
      this.values = new AtomicReferenceArray<>(exchange.group().size());
      this.missing = new AtomicInteger(exchange.group().size() - 1);
    }

    void receiveAll() {
      exchange.atEnd(this::release);
      int own = exchange.rank();
      for (int from = 0; bytes > 0 && from < values.length(); from++) {
        if (from != own) {
          int place = from;
          exchange.receiveTensor(
              from, key(exchange, from, own), bytes, value -> take(place, value));
        }
      }
    }

    private void take(int from, Tensor value) {
      values.set(from, value);
      if (missing.decrementAndGet() == 0) {
        fold();
        release();
      }
    }

    private void fold() {
      Reducer reducer = new Reducer(exchange.call());
      long elements = bytes / exchange.call().type().size();
      long sum = address(0);
      for (int from = 1; from < values.length(); from++) {
        reducer.merge(sum, address(from), exchange.target(), elements);
        sum = exchange.target();
      }
      reducer.finish(sum, elements, values.length());
    }

    private long address(int from) {
      return from == exchange.rank()
          ? exchange.source() + offset
          : values.get(from).storage().address();
    }

    private void release() {
      for (int i = 0; i < values.length(); i++) {
        Tensor value = values.getAndSet(i, null);
        if (value != null) {
          value.close();
        }
      }
    }
  }
}
