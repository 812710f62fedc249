package dev.tributary.cluster.session;

import dev.tributary.cluster.protocol.CallOptions;
import dev.tributary.cluster.protocol.ExtendSessionRequest;
import dev.tributary.cluster.protocol.MasterInterface;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.wire.Defaults;
import dev.tributary.graph.wire.GraphDefs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.tensorflow.proto.GraphDef;

/**
 * The part of a client's graph that the master has. Nodes are sent once, in order, one message at a
 * time, since each names the version that it extends. Nodes that the master refuses are sent again
 * with the next step, which fails in the same way. Guarded by its own monitor.
 */
final class RemoteGraph {
  private final Graph graph;
  private final MasterInterface master;
  private final Duration limit;
  private String sessionHandle = "";
  private int sent;
  private long version;
  private Optional<CompletableFuture<Void>> extension = Optional.empty();

  RemoteGraph(Graph graph, MasterInterface master, Duration limit) {
    this.graph = graph;
    this.master = master;
    this.limit = limit;
  }

  /** The nodes to create the session with. */
  synchronized GraphDef initial() {
    List<Operation> operations = graph.operations();
    sent = operations.size();
    return GraphDefs.toProto(operations, Defaults.STRIP_NEW);
  }

  synchronized void created(String handle, long graphVersion) {
    sessionHandle = handle;
    version = graphVersion;
  }

  /** Done when the master has all nodes that are there now. */
  CompletableFuture<Void> send() {
    CompletableFuture<Void> mine = new CompletableFuture<>();
    Optional<CompletableFuture<Void>> running;
    synchronized (this) {
      if (extension.isEmpty() && graph.size() == sent) {
        return CompletableFuture.completedFuture(null);
      }
      running = extension;
      if (running.isEmpty()) {
        extension = Optional.of(mine);
      }
    }
    if (running.isPresent()) {
      return running.get().handle((done, failure) -> null).thenCompose(again -> send());
    }
    extend(mine);
    return mine;
  }

  private void extend(CompletableFuture<Void> done) {
    List<Operation> operations = graph.operations();
    CompletableFuture<Long> answer;
    try {
      answer = master.extendSession(request(operations), CallOptions.defaults().within(limit));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete(
        (newVersion, failure) -> {
          ended(failure == null ? Optional.of(newVersion) : Optional.empty(), operations.size());
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
  }

  private synchronized void ended(Optional<Long> newVersion, int size) {
    extension = Optional.empty();
    newVersion.ifPresent(
        v -> {
          version = v;
          sent = size;
        });
  }

  private synchronized ExtendSessionRequest request(List<Operation> operations) {
    return new ExtendSessionRequest(
        sessionHandle,
        GraphDefs.toProto(operations.subList(sent, operations.size()), Defaults.STRIP_NEW),
        version);
  }
}
