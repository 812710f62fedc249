package dev.tributary.internal.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Inbox;
import dev.tributary.testing.NoLeaks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The contract of every rendezvous for values that stay in this process. */
@NoLeaks
@Timeout(60)
public abstract class RendezvousContract {
  /** The device on which all that meets here is sent and received. */
  protected static final String DEVICE = "/job:worker/replica:0/task:0/device:CPU:0";

  private final Inbox inbox = new Inbox();

  /** The one under test, the same all through a test. */
  protected abstract Rendezvous rendezvous();

  @Test
  void value_sentFirst_waitsForItsRequest() {
    send("a", 1);
    send("b", 2);
    receive("b", inbox);
    receive("a", inbox);

    assertThat(inbox.takeAll()).containsExactly("2", "1");
  }

  @Test
  void request_madeFirst_waitsForItsValue() {
    Inbox other = new Inbox();
    receive("a", inbox);
    receive("b", other);
    assertThat(inbox.takeAll()).isEmpty();
    send("a", 1);
    send("b", 2);

    assertThat(inbox.takeAll()).containsExactly("1");
    assertThat(other.takeAll()).containsExactly("2");
  }

  @Test
  void values_ofOneKey_areReceivedInTheirOrder() {
    send("a", 1);
    rendezvous().send(key("a"), Optional.empty());
    send("a", 3);
    for (int i = 0; i < 3; i++) {
      receive("a", inbox);
    }

    assertThat(inbox.takeAll()).containsExactly("1", "dead", "3");
  }

  @Test
  void requests_ofOneKey_areServedInTheirOrder() {
    List<Inbox> inboxes = List.of(new Inbox(), new Inbox(), new Inbox());
    inboxes.forEach(each -> receive("a", each));
    for (int i = 0; i < inboxes.size(); i++) {
      send("a", i);
    }

    for (int i = 0; i < inboxes.size(); i++) {
      assertThat(inboxes.get(i).takeAll()).containsExactly(Integer.toString(i));
    }
  }

  @Test
  void abort_whileSomeWait_failsThemAndReleasesValues() {
    send("unwanted", 1);
    receive("a", inbox);
    receive("b", inbox);
    rendezvous().abort(TributaryException.internal("enough"));

    assertThat(inbox.takeAll()).containsExactly("enough", "enough");
  }

  @Test
  void abort_beforeAllElse_failsRequestsAndReleasesValues() {
    rendezvous().abort(TributaryException.internal("the first reason"));
    rendezvous().abort(TributaryException.internal("the second"));
    send("a", 1);
    receive("a", inbox);

    assertThat(inbox.takeAll()).containsExactly("the first reason");
  }

  @Test
  void receiver_thatUsesTheRendezvous_findsItOpen() {
    receive(
        "a",
        new Inbox() {
          @Override
          public void received(Optional<Tensor> value) {
            rendezvous().send(key("b"), value);
          }
        });
    receive("b", inbox);
    send("a", 7);

    assertThat(inbox.takeAll()).containsExactly("7");
  }

  @Test
  void sendersAndReceivers_manyAtOnce_eachValueArrivesOnce() throws Exception {
    int threads = 4;
    int keys = 500;
    ExecutorService pool = Executors.newFixedThreadPool(2 * threads);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int thread = t;
        all.add(pool.submit(() -> forEach(keys, key -> send("k" + key, thread * keys + key))));
        all.add(pool.submit(() -> forEach(keys, key -> receive("k" + key, inbox))));
      }
      for (Future<?> one : all) {
        one.get(20, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(inbox.takeAll()).hasSize(threads * keys).doesNotHaveDuplicates();
  }

  @Test
  void abort_whileOthersSendAndAsk_leavesNobodyWaiting() throws Exception {
    int keys = 2000;
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try {
      Future<?> sender = pool.submit(() -> forEach(keys, key -> send("k" + key, key)));
      Future<?> asker = pool.submit(() -> forEach(keys, key -> receive("k" + key, inbox)));
      Future<?> aborter =
          pool.submit(() -> rendezvous().abort(TributaryException.internal("enough")));
      for (Future<?> one : List.of(sender, asker, aborter)) {
        one.get(20, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }

    assertThat(inbox.takeAll()).hasSize(keys);
  }

  private interface KeyAction {
    void of(int key);
  }

  private static void forEach(int keys, KeyAction action) {
    for (int key = 0; key < keys; key++) {
      action.of(key);
    }
  }

  /** The key of a value that a device sends to itself. */
  private static RendezvousKey key(String name) {
    return new RendezvousKey(DEVICE, 1, DEVICE, name, 0, 0);
  }

  private void send(String name, int value) {
    rendezvous().send(key(name), Optional.of(Tensor.scalar(value)));
  }

  private void receive(String name, Rendezvous.Receiver receiver) {
    rendezvous().receive(key(name), receiver);
  }
}
