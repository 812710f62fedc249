package dev.tributary.cluster.session;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.ListDevicesResponse;
import dev.tributary.cluster.protocol.MasterInterface;
import dev.tributary.cluster.protocol.ResetRequest;
import dev.tributary.cluster.rpc.GrpcMaster;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.session.ChannelSecurity;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.DeviceDescription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  private final String target;
  private final MasterInterface master;
  private final Runnable onClose;

  private MasterConnection(String target, MasterInterface master, Runnable onClose) {
    this.target = target;
    this.master = master;
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
      return new MasterConnection(target, own.get(), () -> {});
    }
    GrpcMaster remote =
        new GrpcMaster(address.toString(), options.security(), options.silenceLimit());
    try {
      new FirstContact(target, address, remote, options).make();
    } catch (RuntimeException e) {
      remote.close();
      throw e;
    }
    return new MasterConnection(target, remote, remote::close);
  }

  String target() {
    return target;
  }

  MasterInterface master() {
    return master;
  }

  /** The devices of all tasks of the cluster, which all must be up by then. */
  public List<DeviceDescription> devices(Duration limit) {
    try {
      return devices("", limit);
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.DEADLINE_EXCEEDED) {
        throw e;
      }
      throw new TributaryException(
          e.code(),
          String.format(
              "%s did not tell the devices of its cluster within %d ms: it, or a task that it asks,"
                  + " does not answer; is every task up?",
              target, limit.toMillis()),
          e);
    }
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
    return Stream.concat(response.localDevices().stream(), response.remoteDevices().stream())
        .map(
            device ->
                new DeviceDescription(
                    device.getName(),
                    device.getDeviceType(),
                    device.getMemoryLimit(),
                    device.getIncarnation()))
        .sorted(java.util.Comparator.comparing(DeviceDescription::name))
        .toList();
  }

  @Override
  public void close() {
    onClose.run();
  }
}
