package dev.tributary.cluster.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CreateWorkerSessionRequest;
import dev.tributary.cluster.internal.protocol.TaskLog;
import dev.tributary.cluster.internal.protocol.Workers;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.collective.CollectiveResolver;
import dev.tributary.internal.collective.CollectiveRuntime;
import dev.tributary.internal.executor.Executor;
import dev.tributary.internal.executor.PoolShare;
import dev.tributary.internal.file.FileThreads;
import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.ResourceContainers;
import dev.tributary.internal.step.SessionDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.tensorflow.proto.ServerDef;

/**
 * The sessions of a worker, and the one that masters share which open none. Guarded by its own
 * monitor, under which no session is opened or closed.
 */
final class WorkerSessions {
  private final WorkerEnvironment environment;
  private final CallerThreads callers;
  private final TaskLog log;
  private final CollectiveResolver collectives;
  private final WorkerSession shared;

  @GuardedBy("this")
  private final Map<String, OpenSession> byHandle = new HashMap<>();

  /** Of the last search for silent masters. */
  @GuardedBy("this")
  private long searchedNanos;

  /**
   * @param callers run what is brief in the graphs of sessions
   * @param collectives finds the members of groups
   */
  WorkerSessions(
      WorkerEnvironment environment,
      CallerThreads callers,
      TaskLog log,
      CollectiveResolver collectives) {
    this.environment = environment;
    this.callers = callers;
    this.log = log;
    this.collectives = collectives;
    this.searchedNanos = environment.timer().nanos();
    this.shared =
        session("", environment.task(), false, environment.addressBooks()::ownCluster, () -> {});
  }

  /**
   * Opens a session; one that is open already stays as it is.
   *
   * @return sessions that this replaces, since their master has restarted; the caller ends them
   */
  List<WorkerSession> create(CreateWorkerSessionRequest request) {
    if (request.sessionHandle().isEmpty()) {
      throw TributaryException.invalidArgument(
          "%s: the session handle is empty", environment.task());
    }
    List<WorkerSession> orphans = dropEarlierLife(request);
    if (find(request.sessionHandle()).isEmpty()) {
      WorkerSession opened = open(request);
      boolean added = false;
      try {
        added = add(opened, request);
      } finally {
        if (!added) {
          opened.close();
        }
      }
      if (added && isForeign(request.masterTask())) {
        String master = request.masterTask();
        log.sessionOpened(
            request.sessionHandle(),
            master.isEmpty() ? "a master" : "the master of " + master,
            size());
      }
    }
    return orphans;
  }

  /** The session that a request is about: by its handle, or the shared one if none was opened. */
  WorkerSession session(String handle, boolean isOpened) {
    if (!isOpened) {
      return shared;
    }
    return find(handle)
        .orElseThrow(
            () ->
                new TributaryException(
                    ErrorCode.ABORTED,
                    "Session handle is not found: "
                        + handle
                        + ". Possibly this worker (\""
                        + environment.task()
                        + "\") just restarted."));
  }

  synchronized Optional<WorkerSession> find(String handle) {
    Optional<OpenSession> found = Optional.ofNullable(byHandle.get(handle));
    found.ifPresent(OpenSession::use);
    return found.map(OpenSession::session);
  }

  /** Takes a session out of the catalogue; the caller ends it. */
  Optional<WorkerSession> remove(String handle) {
    Optional<OpenSession> removed = take(handle);
    if (removed.isPresent() && isForeign(removed.get().masterTask())) {
      log.sessionClosed(handle, size());
    }
    return removed.map(OpenSession::session);
  }

  /** Returns the interval at which silent masters are searched for. */
  Duration searchInterval() {
    Duration lease = environment.options().masterLease();
    Duration idle = environment.options().idleLimit();
    return (lease.compareTo(idle) < 0 ? lease : idle).dividedBy(4);
  }

  /**
   * Takes out the sessions whose masters have been silent for too long, and asks the masters of
   * others that are not used; the caller ends those taken out.
   */
  List<OpenSession> removeOrphans() {
    List<OpenSession> unused = new ArrayList<>();
    List<OpenSession> orphans = sortOut(unused);
    for (OpenSession session : unused) {
      try {
        session.askMaster(searchInterval());
      } catch (TributaryException e) {
        // The cluster has no such task: only the idle limit ends the session.
      }
    }
    return orphans;
  }

  /** None are orphans if this process stood still, since then signs of life may be waiting. */
  private synchronized List<OpenSession> sortOut(List<OpenSession> unused) {
    long now = environment.timer().nanos();
    boolean stoodStill = now - searchedNanos > 2 * searchInterval().toNanos();
    searchedNanos = now;
    List<OpenSession> orphans = new ArrayList<>();
    for (OpenSession session : byHandle.values()) {
      if (stoodStill) {
        session.use();
      }
      Duration silence = session.look(now);
      if (silence.compareTo(session.silenceLimit(environment.options())) > 0) {
        orphans.add(session);
      } else if (!silence.isZero()) {
        unused.add(session);
      }
    }
    byHandle.values().removeAll(orphans);
    return orphans;
  }

  private synchronized Optional<OpenSession> take(String handle) {
    return Optional.ofNullable(byHandle.remove(handle));
  }

  synchronized int size() {
    return byHandle.size();
  }

  /** Sessions of this task's own master are in the log already. */
  private boolean isForeign(String masterTask) {
    return !masterTask.equals(environment.task().toString());
  }

  /** Takes all out, the shared one too; the caller ends them. */
  synchronized List<WorkerSession> removeAll() {
    List<WorkerSession> all = new ArrayList<>(List.of(shared));
    byHandle.values().forEach(entry -> all.add(entry.session()));
    byHandle.clear();
    return all;
  }

  private synchronized boolean add(WorkerSession session, CreateWorkerSessionRequest request) {
    if (byHandle.containsKey(session.handle())) {
      return false;
    }
    environment.options().limits().requireRoomForSession(byHandle.size(), this::mastersOfSessions);
    byHandle.put(session.handle(), new OpenSession(session, request, environment.timer().nanos()));
    return true;
  }

  /** The number of sessions of each master here; a worker knows no more of clients. */
  private synchronized String mastersOfSessions() {
    Map<String, Integer> counts = new TreeMap<>();
    byHandle.values().forEach(entry -> counts.merge(entry.masterTask(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(count -> count.getValue() + " of the master of " + count.getKey())
        .collect(Collectors.joining(", "));
  }

  private synchronized List<WorkerSession> dropEarlierLife(CreateWorkerSessionRequest request) {
    List<OpenSession> orphans =
        byHandle.values().stream().filter(entry -> entry.isOfEarlierLife(request)).toList();
    byHandle.values().removeAll(orphans);
    return orphans.stream().map(OpenSession::session).toList();
  }

  private WorkerSession open(CreateWorkerSessionRequest request) {
    ServerDef server = request.serverDef();
    if (server.getCluster().getJobCount() == 0) {
      return session(
          request.sessionHandle(),
          environment.task(),
          request.isolateSessionState(),
          environment.addressBooks()::ownCluster,
          () -> {});
    }
    TaskName task = new TaskName(server.getJobName(), server.getTaskIndex());
    Workers cluster = environment.addressBooks().open(server);
    return session(
        request.sessionHandle(),
        task,
        request.isolateSessionState(),
        () -> cluster,
        cluster::close);
  }

  private WorkerSession session(
      String handle,
      TaskName task,
      boolean isIsolated,
      Supplier<Workers> cluster,
      Runnable closeCluster) {
    FileThreads files = environment.devices().get(0).device().fileThreads().forSession();
    List<SessionDevice> devices =
        environment.devices().stream().map(d -> device(d, task, isIsolated, files)).toList();
    PoolShare share =
        new PoolShare(environment.executionPool(), environment.options().executionThreads());
    SessionMemory memory =
        SessionMemory.of(
            devices.get(0).device().allocator().budget(),
            isIsolated ? devices.stream().map(d -> d.device().resources()).toList() : List.of());
    return new WorkerSession(
        handle,
        task,
        devices,
        new Peers(cluster),
        collectives(devices),
        environment.registry(),
        environment.options().limits(),
        memory,
        () ->
            new Executor(
                callers.forGraph(share, environment.options().briefTask()),
                environment.timer(),
                true),
        () -> {
          devices.forEach(device -> device.kernels().close());
          if (isIsolated) {
            devices.forEach(device -> device.device().resources().close());
          }
          memory.close();
          closeCluster.run();
        });
  }

  private CollectiveRuntime collectives(List<SessionDevice> devices) {
    Duration most = environment.options().transferTimeout();
    return new CollectiveRuntime(
        collectives,
        devices.stream()
            .collect(Collectors.toMap(d -> d.device().name(), SessionDevice::incarnation)),
        environment.timer(),
        most.compareTo(CollectiveRuntime.USUAL_LIMIT) < 0 ? most : CollectiveRuntime.USUAL_LIMIT);
  }

  private static SessionDevice device(
      LocalDevice local, TaskName task, boolean isIsolated, FileThreads files) {
    Device device = local.device();
    return new SessionDevice(
        new Device(
            task + local.localName(),
            device.allocator(),
            device.backend(),
            isIsolated ? new ResourceContainers() : device.resources(),
            device.files(),
            files,
            device.activity()),
        local.incarnation());
  }
}
