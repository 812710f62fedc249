package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.RandomIds;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions of a master, by their handles. Safe for use by many threads. */
final class SessionCatalogue {
  private final RandomIds ids;
  private final Map<String, MasterSession> sessions = new ConcurrentHashMap<>();

  SessionCatalogue(RandomIds ids) {
    this.ids = ids;
  }

  /** A handle that no session has: 16 hexadecimal digits that nobody guesses. */
  String newHandle() {
    return HexFormat.of().toHexDigits(ids.nextSecret());
  }

  void add(MasterSession session) {
    sessions.put(session.handle(), session);
  }

  /** ABORTED if there is no such session: the client may try again with a new one. */
  MasterSession get(String handle) {
    return find(handle).orElseThrow(() -> unknown(handle, ""));
  }

  Optional<MasterSession> find(String handle) {
    return Optional.ofNullable(sessions.get(handle));
  }

  MasterSession remove(String handle) {
    MasterSession session = sessions.remove(handle);
    if (session == null) {
      throw unknown(handle, " Possibly, this master has restarted.");
    }
    return session;
  }

  List<MasterSession> removeAll() {
    List<MasterSession> removed = new ArrayList<>();
    for (String handle : List.copyOf(sessions.keySet())) {
      Optional.ofNullable(sessions.remove(handle)).ifPresent(removed::add);
    }
    return removed;
  }

  private static TributaryException unknown(String handle, String hint) {
    return new TributaryException(ErrorCode.ABORTED, "Session " + handle + " is not found." + hint);
  }
}
