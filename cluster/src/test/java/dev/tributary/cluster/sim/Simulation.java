package dev.tributary.cluster.sim;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.internal.memory.Allocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * One run of a cluster of two ps and two workers, all of it decided by a seed: clients at both
 * workers count on both ps while {@link Faults} happen, with values pushed or asked for; then the
 * faults end, the tasks that are down start, and everything must work and be given back.
 */
final class Simulation {
  /** More than the sum of all time limits that a client can run into. */
  private static final Duration CLIENTS_LIMIT = Duration.ofMinutes(20);

  /** More than any limit after which something is cleaned up. */
  private static final Duration QUIET = Duration.ofMinutes(1);

  /**
   * @param violations what must not have happened; empty if all is well
   */
  record Result(
      long seed, long traceHash, long events, int answers, int failures, List<String> violations) {}

  private final long seed;
  private final Trace trace;
  private final Faults faults;
  private final Random random;
  private final Ledger ledger;
  private final Scheduler scheduler;
  private final Network network;
  private final SeededIds ids;
  private final SimulatedCluster cluster;

  private Simulation(long seed, Trace trace) {
    this.seed = seed;
    this.trace = trace;
    this.faults = Faults.of(seed);
    this.random = new Random(seed);
    this.ledger = new Ledger(faults.any());
    this.scheduler = new Scheduler(new Random(random.nextLong()), trace);
    this.network = new Network(scheduler, new Random(random.nextLong()));
    this.ids = new SeededIds(new Random(random.nextLong()));
    this.cluster = new SimulatedCluster(scheduler, network, ids, tasks(), seed % 2 == 0);
  }

  static Result run(long seed, Trace trace) {
    return new Simulation(seed, trace).run();
  }

  private Result run() {
    long liveBefore = Allocator.shared().stats().liveBuffers();
    serveFreshSession(0, true);
    runClients();
    recover();
    for (int worker = 0; worker < CountingGraph.WORKER_COUNT; worker++) {
      serveFreshSession(worker, false);
    }
    scheduler.runFor(QUIET);
    requireNoSteps();
    cluster.close();
    scheduler.runFor(QUIET);
    if (!cluster.isClosed()) {
      ledger.violation("a master has not ended its sessions");
    }
    long leaked = Allocator.shared().stats().liveBuffers() - liveBefore;
    // Fewer if the graph of an earlier run was collected meanwhile.
    if (leaked > 0) {
      ledger.violation("%d tensors are left", leaked);
    }
    return new Result(
        seed,
        trace.hash(),
        trace.events(),
        ledger.answers(),
        ledger.failures(),
        ledger.violations());
  }

  private void runClients() {
    network.conditions(faults.conditions(random));
    faults.plan(cluster, network, scheduler, random, ledger);
    List<SimulatedClient> clients = new ArrayList<>();
    for (int i = 0; i < CountingGraph.WORKER_COUNT; i++) {
      clients.add(
          new SimulatedClient(
              "client:" + i, calls(i), scheduler, new Random(random.nextLong()), ledger));
    }
    clients.forEach(SimulatedClient::start);
    scheduler.runUntil(() -> clients.stream().allMatch(SimulatedClient::isDone), CLIENTS_LIMIT);
    for (SimulatedClient client : clients) {
      if (!client.isDone()) {
        ledger.violation("hangs, no answer to %s", client.unanswered());
      }
    }
  }

  private void recover() {
    network.heal();
    scheduler.runFor(QUIET);
    cluster.startAll();
  }

  /**
   * Whoever is up must serve: a session that opens, sets the counters that are lost, or all, and
   * reads them.
   */
  private void serveFreshSession(int worker, boolean setsAll) {
    SessionCalls calls = calls(worker);
    String session = answer("CreateSession", calls.open());
    for (int ps = 0; ps < CountingGraph.PS_COUNT; ps++) {
      if (setsAll || ledger.hasCrashed(ps)) {
        run(calls, session, List.of(CountingGraph.initialize(ps)), List.of());
      }
      String value = CountingGraph.value(ps);
      Map<String, Float> fetched = run(calls, session, List.of(), List.of(value));
      ledger.read(ps, fetched.get(value), ledger.acknowledged(ps));
    }
    answer("CloseSession", calls.close(session));
  }

  private Map<String, Float> run(
      SessionCalls calls, String session, List<String> targets, List<String> fetches) {
    return answer(
        "RunStep of " + targets + fetches,
        calls.run(session, targets, fetches, CallOptions.defaults()));
  }

  private <T> T answer(String what, CompletableFuture<T> call) {
    scheduler.runUntil(call::isDone, CLIENTS_LIMIT);
    if (!call.isDone()) {
      throw new AssertionError("seed " + seed + ": " + what + " hangs while nothing is wrong");
    }
    try {
      return call.join();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + what + " fails while nothing is wrong", e);
    }
  }

  private void requireNoSteps() {
    for (SimulatedTask task : cluster.up()) {
      int left = task.worker().stepCount();
      if (left > 0) {
        ledger.violation("%s still knows %d steps", task.life(), left);
      }
    }
  }

  private SessionCalls calls(int worker) {
    Life client = new Life("client:" + worker, 1);
    return new SessionCalls(cluster.master(client, new TaskName("worker", worker)), ids);
  }

  private static List<TaskName> tasks() {
    List<TaskName> tasks = new ArrayList<>();
    for (int i = 0; i < CountingGraph.PS_COUNT; i++) {
      tasks.add(new TaskName("ps", i));
    }
    for (int i = 0; i < CountingGraph.WORKER_COUNT; i++) {
      tasks.add(new TaskName("worker", i));
    }
    return tasks;
  }
}
