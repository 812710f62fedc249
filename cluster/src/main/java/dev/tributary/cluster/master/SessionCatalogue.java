package dev.tributary.cluster.master;

import dev.tributary.cluster.protocol.RandomIds;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** The sessions of a master, by their handles. Safe for use by many threads. */
final class SessionCatalogue {
  private final RandomIds ids;
  private final Map<String, MasterSession> sessions = new ConcurrentHashMap<>();
  private final Limits limits;

  /** How many sessions there are or will soon be. */
  private final AtomicInteger places = new AtomicInteger();

  SessionCatalogue(RandomIds ids, Limits limits) {
    this.ids = ids;
    this.limits = limits;
  }

  /** Has a session made, under a handle that no other has, and keeps it; if there is room. */
  CompletableFuture<MasterSession> add(Function<String, CompletableFuture<MasterSession>> maker) {
    limits.requireRoomForSession(places.getAndUpdate(n -> Math.min(n + 1, limits.sessions())));
    return maker
        .apply(newHandle())
        .whenComplete(
            (session, thrown) -> {
              if (thrown == null) {
                sessions.put(session.handle(), session);
              } else {
                places.decrementAndGet();
              }
            });
  }

  /** 16 hexadecimal digits that nobody guesses. */
  private String newHandle() {
    return HexFormat.of().toHexDigits(ids.nextSecret());
  }

  /** ABORTED if there is no such session: the client may try again with a new one. */
  MasterSession get(String handle) {
    return find(handle).orElseThrow(() -> unknown(handle, ""));
  }

  /** Returns how many sessions are open. */
  int size() {
    return sessions.size();
  }

  Optional<MasterSession> find(String handle) {
    return Optional.ofNullable(sessions.get(handle));
  }

  MasterSession remove(String handle) {
    return take(handle).orElseThrow(() -> unknown(handle, " Possibly, this master has restarted."));
  }

  List<MasterSession> removeAll() {
    List<MasterSession> removed = new ArrayList<>();
    for (String handle : List.copyOf(sessions.keySet())) {
      take(handle).ifPresent(removed::add);
    }
    return removed;
  }

  private Optional<MasterSession> take(String handle) {
    Optional<MasterSession> taken = Optional.ofNullable(sessions.remove(handle));
    taken.ifPresent(session -> places.decrementAndGet());
    return taken;
  }

  private static TributaryException unknown(String handle, String hint) {
    return new TributaryException(ErrorCode.ABORTED, "Session " + handle + " is not found." + hint);
  }
}
