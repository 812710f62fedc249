package dev.tributary.cluster.internal.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.GraphPart;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.internal.wire.Defaults;
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
  private final FunctionLibrary functions;
  private final MasterInterface master;
  private final boolean isRemote;
  private final Duration limit;

  @GuardedBy("this")
  private String sessionHandle = "";

  @GuardedBy("this")
  private int sent;

  @GuardedBy("this")
  private int sentFunctions;

  /** So many inlined calls are known to have been sent as they are now. */
  @GuardedBy("this")
  private int checkedInlined;

  @GuardedBy("this")
  private long version;

  @GuardedBy("this")
  private Optional<CompletableFuture<Void>> extension = Optional.empty();

  /**
   * @param isRemote whether the master is in another process, which needs messages
   */
  RemoteGraph(Graph graph, MasterInterface master, boolean isRemote, Duration limit) {
    this.graph = graph;
    this.functions = FunctionLibrary.of(graph);
    this.master = master;
    this.isRemote = isRemote;
    this.limit = limit;
  }

  /** The nodes to create the session with. */
  synchronized GraphPart initial() {
    List<Operation> operations = graph.operations();
    sent = operations.size();
    sentFunctions = functions.size();
    checkedInlined = functions.inlined(graph).size();
    return part(operations);
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
      Optional<TributaryException> late = inlinedTooLate();
      if (late.isPresent()) {
        return CompletableFuture.failedFuture(late.get());
      }
      if (extension.isEmpty() && isSent()) {
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

  /**
   * A call that was inlined after the master got it is still a call there, and computes its values
   * a second time.
   */
  @GuardedBy("this")
  private Optional<TributaryException> inlinedTooLate() {
    List<Operation> inlined = functions.inlined(graph);
    for (; checkedInlined < inlined.size(); checkedInlined++) {
      if (inlined.get(checkedInlined).id() < sent) {
        return Optional.of(
            TributaryException.failedPrecondition(
                "%s was inlined to be differentiated after the session had sent it to its master:"
                    + " build gradients before the first step, or open another session",
                inlined.get(checkedInlined).name()));
      }
    }
    return Optional.empty();
  }

  @GuardedBy("this")
  private boolean isSent() {
    return graph.size() == sent && functions.size() == sentFunctions;
  }

  /** Each message has all functions; the master ignores those that it has. */
  private GraphPart part(List<Operation> operations) {
    if (functions.size() == 0) {
      GraphPart.Operations part = new GraphPart.Operations(operations);
      return isRemote ? new GraphPart.Message(part.toProto()) : part;
    }
    GraphDef nodes = GraphDefs.toProto(operations, Defaults.STRIP_NEW);
    return new GraphPart.Message(
        nodes.toBuilder().setLibrary(GraphDefs.toProto(functions)).build());
  }

  private void extend(CompletableFuture<Void> done) {
    // Functions first: those that come in between are sent again.
    int functionCount = functions.size();
    List<Operation> operations = graph.operations();
    CompletableFuture<Long> answer;
    try {
      answer = master.extendSession(request(operations), CallOptions.defaults().within(limit));
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    answer.whenComplete(
        (newVersion, failure) -> {
          ended(
              failure == null ? Optional.of(newVersion) : Optional.empty(),
              operations.size(),
              functionCount);
          if (failure == null) {
            done.complete(null);
          } else {
            done.completeExceptionally(failure);
          }
        });
  }

  private synchronized void ended(Optional<Long> newVersion, int size, int functionCount) {
    extension = Optional.empty();
    newVersion.ifPresent(
        v -> {
          version = v;
          sent = size;
          sentFunctions = functionCount;
        });
  }

  private synchronized ExtendSessionRequest request(List<Operation> operations) {
    return new ExtendSessionRequest(
        sessionHandle, part(operations.subList(sent, operations.size())), version);
  }
}
