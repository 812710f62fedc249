package dev.tributary.cluster.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvBufRequest;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.TensorTransport;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.MemoryAccount;
import dev.tributary.internal.rendezvous.LocalRendezvous;
import dev.tributary.internal.rendezvous.Rendezvous;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.internal.step.GraphRun;
import dev.tributary.internal.time.Ticker;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The rendezvous of one step in this task. Values of its own devices lie in a table, until one of
 * them or another task asks for them; values of other tasks are requested from those. If the step
 * pushes values, nobody asks: what is for another task goes there at once, and what others send
 * lies in the table.
 *
 * <p>Other tasks may ask before this one has heard of the step. Such requests are parked until the
 * step {@linkplain #join joins} its session. Guarded by its own monitor, under which nobody is
 * called.
 */
final class StepRendezvous implements Rendezvous {
  private record Parked(RendezvousKey key, Receiver receiver) {}

  /** The memory of a value besides its elements: key, table entry and a step's rendezvous. */
  private static final long UNCLAIMED_VALUE = 1 << 10;

  private final long stepId;
  private final TransferLog log;
  private final RandomIds ids;
  private final Ticker ticker;
  private final LocalRendezvous table = new LocalRendezvous();

  @GuardedBy("this")
  private final List<Parked> parked = new ArrayList<>();

  @GuardedBy("this")
  private final Set<RemoteReceive> remote = new LinkedHashSet<>();

  /** Bytes that came before the step, by the account that counts them. */
  @GuardedBy("this")
  private final Map<MemoryAccount, Long> unclaimed = new HashMap<>();

  @GuardedBy("this")
  private int looks;

  @GuardedBy("this")
  private Optional<WorkerSession> session = Optional.empty();

  /** The run whose values go to other tasks unasked; empty if they wait to be asked for. */
  @GuardedBy("this")
  private Optional<GraphRun> pushing = Optional.empty();

  @GuardedBy("this")
  private Optional<RuntimeException> aborted = Optional.empty();

  StepRendezvous(long stepId, TransferLog log, RandomIds ids, Ticker ticker) {
    this.stepId = stepId;
    this.log = log;
    this.ids = ids;
    this.ticker = ticker;
  }

  /**
   * Sets the session that the step runs in; all that is parked is served from now on.
   *
   * @param pusher the run that waits for values to reach other tasks, if the step pushes them
   */
  void join(WorkerSession ofStep, Optional<GraphRun> pusher) {
    setSession(ofStep, pusher).forEach(request -> receiveHere(request.key, request.receiver));
  }

  synchronized boolean isOf(WorkerSession other) {
    return session.isPresent() && session.get() == other;
  }

  /** Returns whether values of a session wait here for a step that has not begun. */
  synchronized boolean holdsValuesOf(WorkerSession other) {
    return unclaimed.containsKey(other.unclaimed());
  }

  long stepId() {
    return stepId;
  }

  synchronized boolean isParked() {
    return session.isEmpty();
  }

  /**
   * Returns whether there was nothing but values of other tasks each time that somebody had a look.
   */
  synchronized boolean isOrphan(int mostLooks) {
    looks++;
    return session.isEmpty() && parked.isEmpty() && looks > mostLooks;
  }

  @Override
  public void send(RendezvousKey key, Optional<Tensor> value) {
    Optional<GraphRun> pusher = pushing();
    if (pusher.isEmpty()) {
      table.send(key, value);
      return;
    }
    WorkerSession joined = session().orElseThrow();
    if (isOn(joined.task(), key.recvDevice())) {
      table.send(key, value);
    } else {
      joined.peers().push(joined.handle(), stepId, key, value, pusher.get());
    }
  }

  @Override
  public Optional<Tensor> allocateFor(String recvDevice, DataType type, Shape shape) {
    if (pushing().isEmpty()) {
      return Optional.empty();
    }
    WorkerSession joined = session().orElseThrow();
    return isOn(joined.task(), recvDevice)
        ? Optional.empty()
        : joined.peers().ofDevice(recvDevice).worker().allocate(type, shape);
  }

  /**
   * Takes a value that another task has sent unasked.
   *
   * @param account counts it until the step joins its session; RESOURCE_EXHAUSTED if it is full
   */
  void deliver(MemoryAccount account, RendezvousKey key, Optional<Tensor> value) {
    unclaimed(account, value);
    table.send(key, value.map(Tensor::retain));
  }

  private synchronized void unclaimed(MemoryAccount account, Optional<Tensor> value) {
    if (session.isPresent() || aborted.isPresent()) {
      return;
    }
    long bytes = UNCLAIMED_VALUE + value.map(StepRendezvous::bytes).orElse(0L);
    account.reserve(bytes);
    unclaimed.merge(account, bytes, Long::sum);
  }

  /** The values have a step that asks for them, or are gone. */
  @GuardedBy("this")
  private void claim() {
    unclaimed.forEach(MemoryAccount::release);
    unclaimed.clear();
  }

  private static long bytes(Tensor value) {
    long bytes = value.byteSize();
    if (value.type() == DataType.STRING) {
      for (Object element : value.objects()) {
        bytes += ((byte[]) element).length;
      }
    }
    return bytes;
  }

  /** Asks on behalf of one of this task's devices. */
  @Override
  public void receive(RendezvousKey key, Receiver receiver) {
    WorkerSession joined = session().orElseThrow();
    if (isOn(joined.task(), key.toString())) {
      table.receive(key, receiver);
      return;
    }
    request(key, joined, receiver)
        .ifPresent(
            request -> {
              TensorTransport from = pushing().isPresent() ? this::awaitPushed : request.sender();
              request.start(from, () -> remove(request));
            });
  }

  /** Keeps a value until it is asked for, also if the step pushes values. */
  void keep(RendezvousKey key, Optional<Tensor> value) {
    table.send(key, value);
  }

  /** Asks for a chunk of a collective, which its sender {@linkplain #keep keeps}. */
  void askFor(RendezvousKey key, long bytes, Receiver receiver) {
    WorkerSession joined = session().orElseThrow();
    if (isOn(joined.task(), key.toString())) {
      table.receive(key, receiver);
      return;
    }
    request(key, joined, receiver)
        .ifPresent(
            request ->
                request.start(
                    (asked, options) ->
                        request
                            .sender()
                            .recvBuf(
                                new RecvBufRequest(stepId, key, bytes, asked.requestId()), options),
                    () -> remove(request)));
  }

  /** A request to another task; empty if the step is over, which the receiver is told. */
  private Optional<RemoteReceive> request(
      RendezvousKey key, WorkerSession joined, Receiver receiver) {
    RemoteReceive request;
    try {
      Peers.RemoteTask sender = joined.peers().ofDevice(key.sendDevice());
      request =
          new RemoteReceive(
              new RecvTensorRequest(stepId, key, ids.next()),
              sender,
              new Traffic.CountedReceiver(receiver, sender.traffic().received()),
              log,
              ticker);
    } catch (TributaryException e) {
      receiver.failed(e);
      return Optional.empty();
    }
    Optional<RuntimeException> over = add(request);
    over.ifPresent(receiver::failed);
    return over.isPresent() ? Optional.empty() : Optional.of(request);
  }

  private CompletableFuture<ReceivedTensor> awaitPushed(
      RecvTensorRequest request, CallOptions options) {
    CompletableFuture<ReceivedTensor> answer = new CompletableFuture<>();
    table.receive(request.key(), new ReceivedAnswer(answer));
    return answer;
  }

  /** Asks on behalf of another task, for a value that this one sends. */
  void receiveForPeer(RendezvousKey key, Receiver receiver) {
    if (!park(key, receiver)) {
      receiveHere(key, receiver);
    }
  }

  /** Aborts the step because this task has given it up, in words that do not hide the reason. */
  void cancel(RuntimeException reason) {
    abort(
        TributaryException.derived(
            ErrorCode.ABORTED, "Step " + stepId + " cancelled: " + reason.getMessage(), reason));
  }

  @Override
  public void abort(RuntimeException reason) {
    Collection<Parked> waiting;
    Collection<RemoteReceive> asked;
    synchronized (this) {
      if (aborted.isEmpty()) {
        aborted = Optional.of(reason);
      }
      claim();
      waiting = List.copyOf(parked);
      parked.clear();
      asked = List.copyOf(remote);
      remote.clear();
    }
    asked.forEach(request -> request.abort(reason));
    table.abort(reason);
    waiting.forEach(request -> request.receiver.failed(reason));
  }

  /** Returns the values that the step waits for from other tasks. */
  synchronized List<RemoteReceive> remoteReceives() {
    return List.copyOf(remote);
  }

  private void receiveHere(RendezvousKey key, Receiver receiver) {
    Optional<TaskName> task = session().map(WorkerSession::task);
    if (task.isPresent() && !isOn(task.get(), key.toString())) {
      receiver.failed(
          TributaryException.invalidArgument(
              "Invalid rendezvous key (src): %s @ %s", key, task.get()));
    } else {
      table.receive(key, receiver);
    }
  }

  /** Returns whether a device, or the one that a key begins with, is one of the task's. */
  private static boolean isOn(TaskName task, String device) {
    String name = task.toString();
    return device.startsWith(name) && device.startsWith("/device:", name.length());
  }

  private synchronized Optional<WorkerSession> session() {
    return session;
  }

  private synchronized Optional<GraphRun> pushing() {
    return pushing;
  }

  private synchronized List<Parked> setSession(WorkerSession ofStep, Optional<GraphRun> pusher) {
    if (session.isPresent() && session.get() != ofStep) {
      throw TributaryException.internal(
          "step %d runs in session '%s' and cannot run in session '%s', too",
          stepId, session.get().handle(), ofStep.handle());
    }
    session = Optional.of(ofStep);
    claim();
    pushing = pusher;
    List<Parked> served = List.copyOf(parked);
    parked.clear();
    return served;
  }

  /** Returns whether the request waits here until the step has its session. */
  private synchronized boolean park(RendezvousKey key, Receiver receiver) {
    boolean waits = session.isEmpty() && aborted.isEmpty();
    if (waits) {
      parked.add(new Parked(key, receiver));
    }
    return waits;
  }

  private synchronized Optional<RuntimeException> add(RemoteReceive request) {
    if (aborted.isEmpty()) {
      remote.add(request);
    }
    return aborted;
  }

  private synchronized void remove(RemoteReceive request) {
    remote.remove(request);
  }
}
