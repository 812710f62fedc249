package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.ListDevicesResponse;
import dev.tributary.cluster.internal.protocol.ListTasksRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.ResetRequest;
import dev.tributary.cluster.internal.rpc.GrpcMaster;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.ThreadTimer;
import dev.tributary.internal.time.Timer;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.DeviceDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.tensorflow.proto.DeviceAttributes;

/**
 * The way from a client to the master at a target. One to a server in this process is a plain
 * reference, any other a channel. Safe for use by many threads; whoever opens it closes it.
 *
 * <pre>{@code
 * try (MasterConnection master = MasterConnection.open("grpc://localhost:2222")) {
 *   master.devices(Duration.ofSeconds(10)).forEach(System.out::println);
 * }
 * }</pre>
 */
public final class MasterConnection implements AutoCloseable {
  static final String SCHEME = "grpc";
  private static final String PREFIX = SCHEME + "://";

  /** The time that a master may take beyond the timeout of its tasks. */
  private static final Duration LISTING_GRACE = Duration.ofSeconds(2);

  private final String target;
  private final MasterInterface master;
  private final Timer timer;
  private final Runnable onClose;

  private MasterConnection(String target, MasterInterface master, Timer timer, Runnable onClose) {
    this.target = target;
    this.master = master;
    this.timer = timer;
    this.onClose = onClose;
  }

  /** Opens a connection to {@code grpc://host:port}, at which a server must answer. */
  public static MasterConnection open(String target) {
    return open(target, ChannelSecurity.none());
  }

  public static MasterConnection open(String target, ChannelSecurity security) {
    return open(target, ClusterOptions.defaults().withSecurity(security));
  }

  /**
   * Opens a connection as a session with these options does: a target that is not there is tried
   * again for the connect timeout, and is UNAVAILABLE then.
   */
  public static MasterConnection open(String target, ClusterOptions options) {
    if (!target.startsWith(PREFIX)) {
      throw TributaryException.invalidArgument(
          "malformed target '%s', wanted %shost:port", target, PREFIX);
    }
    HostAndPort address = HostAndPort.parse(target.substring(PREFIX.length()));
    Optional<MasterInterface> own =
        options.shortCut() ? InProcessMasters.at(address) : Optional.empty();
    if (own.isPresent()) {
      return new MasterConnection(target, own.get(), ThreadTimer.shared(), () -> {});
    }
    FirstContact contact = new FirstContact(target, address, options, ThreadTimer.shared());
    contact.lookUp();
    GrpcMaster remote =
        new GrpcMaster(address.toString(), options.security(), options.silenceLimit());
    try {
      contact.connect(remote);
    } catch (RuntimeException e) {
      remote.close();
      throw e;
    }
    return new MasterConnection(target, remote, remote.timer(), remote::close);
  }

  String target() {
    return target;
  }

  MasterInterface master() {
    return master;
  }

  /** Does things later, for as long as the connection is open. */
  Timer timer() {
    return timer;
  }

  /**
   * A task of the cluster.
   *
   * @param devices none if the task is down
   * @param fault why the task counts as down, with its name and address; empty if it is up
   */
  public record Task(TaskName name, List<DeviceDescription> devices, Optional<String> fault) {
    public Task {
      devices = List.copyOf(devices);
    }
  }

  /** The devices of all tasks of the cluster. If a task is down, UNAVAILABLE names it. */
  public List<DeviceDescription> devices(Duration limit) {
    List<Task> tasks = tasks(limit);
    List<String> faults = tasks.stream().flatMap(task -> task.fault().stream()).toList();
    if (!faults.isEmpty()) {
      throw new TributaryException(
          ErrorCode.UNAVAILABLE,
          String.format(
              "%s: %d of %d tasks are down: %s",
              target, faults.size(), tasks.size(), String.join("; ", faults)));
    }
    return tasks.stream().flatMap(task -> task.devices().stream()).toList();
  }

  /**
   * The tasks of the cluster in the order of their names, those that are down among them.
   *
   * @param limit how long a task may take to answer before it counts as down
   */
  public List<Task> tasks(Duration limit) {
    CallOptions call = CallOptions.defaults().within(limit.plus(LISTING_GRACE));
    try {
      return Answers.await(master.listTasks(new ListTasksRequest(List.of(), limit), call)).stream()
          .map(task -> new Task(task.task(), descriptions(task.devices().stream()), task.fault()))
          .toList();
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.UNIMPLEMENTED) {
        throw e;
      }
      return tasksOfStockMaster(limit);
    }
  }

  /** All tasks of a master that reports only whole clusters. */
  private List<Task> tasksOfStockMaster(Duration limit) {
    Map<TaskName, List<DeviceDescription>> byTask = new TreeMap<>();
    try {
      for (DeviceDescription device : devices("", limit)) {
        byTask
            .computeIfAbsent(TaskName.ofDevice(device.name()), task -> new ArrayList<>())
            .add(device);
      }
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.DEADLINE_EXCEEDED) {
        throw e;
      }
      throw new TributaryException(
          e.code(),
          String.format(
              "%s did not list the devices of its cluster within %d ms: it, or a task that it asks,"
                  + " does not answer; is every task up? It said: %s",
              target, limit.toMillis(), e.getMessage()),
          e);
    }
    return byTask.entrySet().stream()
        .map(entry -> new Task(entry.getKey(), entry.getValue(), Optional.empty()))
        .toList();
  }

  /** Ends all sessions of the master and clears these containers on all tasks. */
  public void reset(List<String> containers, Duration limit) {
    Answers.await(
        master.reset(
            new ResetRequest(containers, List.of()), CallOptions.defaults().within(limit)));
  }

  List<DeviceDescription> devices(String sessionHandle, Duration limit) {
    ListDevicesResponse response =
        Answers.await(master.listDevices(sessionHandle, CallOptions.defaults().within(limit)));
    return descriptions(
        Stream.concat(response.localDevices().stream(), response.remoteDevices().stream()));
  }

  private static List<DeviceDescription> descriptions(Stream<DeviceAttributes> devices) {
    return devices
        .map(
            device ->
                new DeviceDescription(
                    device.getName(),
                    device.getDeviceType(),
                    device.getMemoryLimit(),
                    device.getIncarnation()))
        .sorted(Comparator.comparing(DeviceDescription::name))
        .toList();
  }

  /** Returns whether the master is in another process. */
  boolean isRemote() {
    return master instanceof GrpcMaster;
  }

  @Override
  public void close() {
    onClose.run();
  }
}
