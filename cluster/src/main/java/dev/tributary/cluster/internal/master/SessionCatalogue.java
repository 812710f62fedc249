package dev.tributary.cluster.internal.master;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.RandomIds;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The sessions of a master, by their handles. Safe for use by many threads. */
final class SessionCatalogue {
  /**
   * A session of the catalogue, and how long its client has been silent. A call only leaves a mark,
   * so that steps need not read a clock; {@link #look} dates it, which is as exact as it is often
   * called. Marks come from any thread, looks from one at a time.
   */
  static final class SessionUse {
    private final MasterSession session;
    private final String client;
    private final boolean isOfThisProcess;
    private final long openedNanos;
    private volatile boolean isUsed;
    private volatile boolean isLeased;
    private volatile long usedNanos;

    SessionUse(MasterSession session, CallOptions opening, long nanos) {
      this.session = session;
      this.client = opening.callerName();
      this.isOfThisProcess = opening.caller().isEmpty();
      this.openedNanos = nanos;
      this.usedNanos = nanos;
    }

    MasterSession session() {
      return session;
    }

    void use() {
      if (!isUsed) {
        isUsed = true;
      }
    }

    /** From now on its client says regularly that it is there. */
    void lease() {
      isLeased = true;
      use();
    }

    /** Dates the uses since the last look; a step that runs is one. */
    void look(long nanos) {
      if (isUsed || session.isBusy()) {
        isUsed = false;
        usedNanos = nanos;
      }
    }

    /**
     * Returns how long it may be silent before it ends: a client with a lease for the lease,
     * another one for the idle limit, and one in this process, which cannot go away alone, for
     * ever.
     */
    Optional<Duration> silenceLimit(Duration lease, Duration idle) {
      if (isOfThisProcess) {
        return Optional.empty();
      }
      return Optional.of(isLeased ? lease : idle);
    }

    Duration silence(long nanos) {
      return Duration.ofNanos(nanos - usedNanos);
    }

    long openedNanos() {
      return openedNanos;
    }

    /** For errors and logs: {@code of 10.0.0.7:40312, open for 7200 s, idle for 3600 s}. */
    String describe(long nanos) {
      return String.format(
          "of %s, open for %d s, idle for %d s",
          client, Duration.ofNanos(nanos - openedNanos).toSeconds(), silence(nanos).toSeconds());
    }
  }

  /** The number of sessions that an error names if there are too many. */
  private static final int NAMED = 3;

  private final RandomIds ids;
  private final MasterOptions options;
  private final Ticker ticker;
  private final Map<String, SessionUse> sessions = new ConcurrentHashMap<>();

  /** The number of sessions, with those that are being opened. */
  private final AtomicInteger places = new AtomicInteger();

  /** Of the last search for silent clients. */
  @GuardedBy("this")
  private long searchedNanos;

  SessionCatalogue(RandomIds ids, MasterOptions options, Ticker ticker) {
    this.ids = ids;
    this.options = options;
    this.ticker = ticker;
    this.searchedNanos = ticker.nanos();
  }

  /**
   * Has a session made, under a handle that no other has, and keeps it; if there is room.
   *
   * @param opening the call that opens it
   */
  CompletableFuture<MasterSession> add(
      CallOptions opening, Function<String, CompletableFuture<MasterSession>> maker) {
    int most = options.limits().sessions();
    options
        .limits()
        .requireRoomForSession(
            places.getAndUpdate(n -> Math.min(n + 1, most)), this::describeOldest);
    return maker
        .apply(newHandle())
        .whenComplete(
            (session, thrown) -> {
              if (thrown == null) {
                sessions.put(session.handle(), new SessionUse(session, opening, ticker.nanos()));
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
    SessionUse found = sessions.get(handle);
    if (found == null) {
      return Optional.empty();
    }
    found.use();
    return Optional.of(found.session());
  }

  /** Renews a session's lease, or begins it; returns how long it is. */
  Duration lease(String handle) {
    SessionUse found = sessions.get(handle);
    if (found == null) {
      throw unknown(handle, "");
    }
    found.lease();
    return options.sessionLease();
  }

  MasterSession remove(String handle) {
    return take(handle)
        .orElseThrow(() -> unknown(handle, " Possibly, this master has restarted."))
        .session();
  }

  List<MasterSession> removeAll() {
    List<MasterSession> removed = new ArrayList<>();
    for (String handle : List.copyOf(sessions.keySet())) {
      take(handle).map(SessionUse::session).ifPresent(removed::add);
    }
    return removed;
  }

  /**
   * Takes out the sessions whose clients have been silent for too long; the caller ends them. None
   * if this process itself has been standing still, since then their signs of life may be waiting.
   */
  synchronized List<SessionUse> removeSilent() {
    long now = ticker.nanos();
    boolean stoodStill = now - searchedNanos > 2 * searchInterval().toNanos();
    searchedNanos = now;
    List<SessionUse> removed = new ArrayList<>();
    sessions.forEach(
        (handle, use) -> {
          if (stoodStill) {
            use.use();
          }
          use.look(now);
          Optional<Duration> limit =
              use.silenceLimit(options.sessionLease(), options.sessionIdleLimit());
          if (limit.isPresent() && use.silence(now).compareTo(limit.get()) > 0) {
            take(handle).ifPresent(removed::add);
          }
        });
    return removed;
  }

  /** Returns the interval at which silent clients are searched for. */
  Duration searchInterval() {
    Duration lease = options.sessionLease();
    Duration idle = options.sessionIdleLimit();
    return (lease.compareTo(idle) < 0 ? lease : idle).dividedBy(4);
  }

  String describe(SessionUse use) {
    return use.describe(ticker.nanos());
  }

  private String describeOldest() {
    long now = ticker.nanos();
    return sessions.values().stream()
        .sorted(Comparator.comparingLong(use -> use.openedNanos() - now))
        .limit(NAMED)
        .peek(use -> use.look(now))
        .map(use -> use.describe(now))
        .collect(Collectors.joining("; "));
  }

  private Optional<SessionUse> take(String handle) {
    Optional<SessionUse> taken = Optional.ofNullable(sessions.remove(handle));
    taken.ifPresent(use -> places.decrementAndGet());
    return taken;
  }

  private static TributaryException unknown(String handle, String hint) {
    return new TributaryException(ErrorCode.ABORTED, "Session " + handle + " is not found." + hint);
  }
}
