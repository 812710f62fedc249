package dev.tributary.testing;

import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Notes as texts what arrives from a rendezvous: the number in a scalar, {@code dead}, or the
 * message of a failure. Releases the values. Safe for use by many threads.
 */
public class Inbox implements Rendezvous.Receiver {
  private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();

  @Override
  public void received(Optional<Tensor> value) {
    if (value.isEmpty()) {
      notes.add("dead");
      return;
    }
    try (Tensor tensor = value.get()) {
      notes.add(
          tensor.type() == DataType.INT64
              ? Long.toString(tensor.longValue())
              : Integer.toString(tensor.intValue()));
    }
  }

  @Override
  public void failed(RuntimeException failure) {
    notes.add(failure.getMessage());
  }

  /** The next note; fails if none comes within the limit of a test. */
  public String next() throws InterruptedException {
    String note = notes.poll(20, TimeUnit.SECONDS);
    if (note == null) {
      throw new AssertionError("nothing arrived");
    }
    return note;
  }

  /** All notes so far. */
  public List<String> takeAll() {
    List<String> all = new ArrayList<>();
    notes.drainTo(all);
    return all;
  }
}
