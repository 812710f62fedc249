package dev.tributary.cluster.internal.session;

import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.spec.HostAndPort;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The masters of the servers in this process, by the addresses that their targets tell, so that
 * sessions can call them without a wire. One for the process, as ports are: a session knows nothing
 * of a server but its target. Safe for use by many threads.
 */
public final class InProcessMasters {
  private static final Map<HostAndPort, MasterInterface> MASTERS = new ConcurrentHashMap<>();

  private InProcessMasters() {}

  /** A master's place in the list. */
  public interface Entry extends AutoCloseable {
    @Override
    void close();
  }

  /** Lists a master until the entry is closed. */
  public static Entry list(HostAndPort address, MasterInterface master) {
    MASTERS.put(address, master);
    return () -> MASTERS.remove(address, master);
  }

  static Optional<MasterInterface> at(HostAndPort address) {
    return Optional.ofNullable(MASTERS.get(address));
  }
}
