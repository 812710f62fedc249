package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.tensorflow.proto.RunOptions;

/**
 * A client that opens sessions and runs steps in them, some side by side, some cancelled, some with
 * little time, and opens a new session when one fails. It writes all answers to the ledger.
 */
final class SimulatedClient {
  private static final int SESSIONS = 5;
  private static final int STEPS = 10;
  private static final int MOST_AT_ONCE = 3;
  private static final float FED = 5;

  /** How a step is asked for, and what its client does to it. */
  private record Asked(CallOptions call, RunOptions run, boolean cancelled, boolean limited) {
    static final Asked PLAINLY =
        new Asked(CallOptions.defaults(), RunOptions.getDefaultInstance(), false, false);
  }

  private final String name;
  private final SessionCalls calls;
  private final Scheduler scheduler;
  private final Random random;
  private final Ledger ledger;
  private final Set<String> unanswered = new TreeSet<>();
  private int sessionsLeft = SESSIONS;
  private int stepsLeft = STEPS;
  private int callCount;
  private boolean sessionFailed;
  private boolean done;

  SimulatedClient(
      String name, SessionCalls calls, Scheduler scheduler, Random random, Ledger ledger) {
    this.name = name;
    this.calls = calls;
    this.scheduler = scheduler;
    this.random = random;
    this.ledger = ledger;
  }

  void start() {
    scheduler.soon(name + " starts", this::openSession);
  }

  boolean isDone() {
    return done;
  }

  /** The calls that it still waits for. */
  Set<String> unanswered() {
    return unanswered;
  }

  private void openSession() {
    if (sessionsLeft-- == 0 || stepsLeft <= 0) {
      done = true;
      return;
    }
    sessionFailed = false;
    answered("CreateSession", Asked.PLAINLY, calls.open())
        .thenAccept(this::runSteps)
        .exceptionally(
            thrown -> {
              scheduler.after(pause(1000), name + " tries again", this::openSession);
              return null;
            });
  }

  private void runSteps(String session) {
    if (sessionFailed || stepsLeft <= 0 || random.nextInt(8) == 0) {
      closeSession(session);
      return;
    }
    int count = 1 + random.nextInt(MOST_AT_ONCE);
    stepsLeft -= count;
    CompletableFuture.allOf(
            Stream.generate(() -> runStep(session))
                .limit(count)
                .toArray(CompletableFuture<?>[]::new))
        .whenComplete((done, thrown) -> runSteps(session));
  }

  /** Again, if the master may not have heard of it. */
  private void closeSession(String session) {
    answered("CloseSession", Asked.PLAINLY, calls.close(session))
        .whenComplete(
            (closed, thrown) -> {
              if (thrown != null && code(thrown) != ErrorCode.ABORTED) {
                scheduler.after(pause(1000), name + " closes", () -> closeSession(session));
              } else {
                openSession();
              }
            });
  }

  private CompletableFuture<?> runStep(String session) {
    int ps = random.nextInt(CountingGraph.PS_COUNT);
    return switch (random.nextInt(5)) {
      case 0, 1 -> increment(session, ps);
      case 2 -> read(session, ps);
      case 3 -> chain(session);
      default -> partialRun(session);
    };
  }

  private CompletableFuture<?> increment(String session, int ps) {
    ledger.attempt(ps);
    List<String> targets = List.of(CountingGraph.increment(ps));
    Asked asked = asked();
    return answered(
            "increment of " + ps, asked, run(session, "", Map.of(), targets, List.of(), asked))
        .thenAccept(nothing -> ledger.acknowledge(ps));
  }

  private CompletableFuture<?> read(String session, int ps) {
    int atLeast = ledger.acknowledged(ps);
    String value = CountingGraph.value(ps);
    Asked asked = asked();
    return answered(
            "read of " + ps, asked, run(session, "", Map.of(), List.of(), List.of(value), asked))
        .thenAccept(fetched -> ledger.read(ps, fetched.get(value), atLeast));
  }

  private CompletableFuture<?> chain(String session) {
    return chain("chain", session, "", true, CountingGraph.CHAIN_END);
  }

  /** Two pieces, of which the second may never be asked for. */
  private CompletableFuture<?> partialRun(String session) {
    List<String> feeds = List.of(CountingGraph.CHAIN_START);
    List<String> fetches = List.of(CountingGraph.CHAIN_MIDDLE, CountingGraph.CHAIN_END);
    return answered("partial run", Asked.PLAINLY, calls.partialRun(session, feeds, fetches))
        .thenCompose(
            handle ->
                chain("first piece", session, handle, true, CountingGraph.CHAIN_MIDDLE)
                    .thenCompose(
                        fetched ->
                            random.nextInt(4) == 0
                                ? CompletableFuture.completedFuture(null)
                                : chain(
                                    "last piece",
                                    session,
                                    handle,
                                    false,
                                    CountingGraph.CHAIN_END)));
  }

  private CompletableFuture<Void> chain(
      String what, String session, String partialRun, boolean fed, String end) {
    Map<String, Float> feeds = fed ? Map.of(CountingGraph.CHAIN_START, FED) : Map.of();
    Asked asked = asked();
    return answered(what, asked, run(session, partialRun, feeds, List.of(), List.of(end), asked))
        .thenAccept(fetched -> requireSum(end, fetched.get(end)));
  }

  private void requireSum(String end, float value) {
    float wanted = FED + CountingGraph.sumAt(end);
    if (value != wanted) {
      ledger.violation("%s: %s is %s, wanted %s", name, end, value, wanted);
    }
  }

  private CompletableFuture<Map<String, Float>> run(
      String session,
      String partialRun,
      Map<String, Float> feeds,
      List<String> targets,
      List<String> fetches,
      Asked asked) {
    return calls.run(session, partialRun, feeds, targets, fetches, asked.run, asked.call);
  }

  private Asked asked() {
    Cancellation cancellation = new Cancellation();
    RunOptions.Builder run = RunOptions.newBuilder();
    boolean cancelled = random.nextInt(8) == 0;
    boolean limited = random.nextInt(8) == 0;
    if (cancelled) {
      TributaryException reason = new TributaryException(ErrorCode.CANCELLED, "not wanted");
      scheduler.after(pause(10), name + " cancels", () -> cancellation.cancel(reason));
    }
    if (limited) {
      run.setTimeoutInMs(1 + random.nextInt(random.nextBoolean() ? 10 : 5000));
    }
    return new Asked(CallOptions.cancelledBy(cancellation), run.build(), cancelled, limited);
  }

  /** The call, when its answer has been noted. */
  private <T> CompletableFuture<T> answered(String what, Asked asked, CompletableFuture<T> call) {
    String pending = name + " call " + callCount++ + ": " + what;
    unanswered.add(pending);
    return call.whenComplete(
        (value, thrown) -> {
          unanswered.remove(pending);
          if (thrown == null) {
            ledger.succeeded();
          } else {
            ledger.failed(pending, cause(thrown), asked.cancelled, asked.limited);
            sessionFailed |= !asked.cancelled && !asked.limited;
          }
        });
  }

  private static Throwable cause(Throwable thrown) {
    return thrown instanceof CompletionException ? thrown.getCause() : thrown;
  }

  private static ErrorCode code(Throwable thrown) {
    return cause(thrown) instanceof TributaryException known ? known.code() : ErrorCode.UNKNOWN;
  }

  private Duration pause(int mostMillis) {
    return Duration.ofNanos((long) (random.nextDouble() * mostMillis * 1e6));
  }
}
