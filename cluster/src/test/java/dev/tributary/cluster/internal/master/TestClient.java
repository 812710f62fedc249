package dev.tributary.cluster.internal.master;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.PartialRunSetupRequest;
import dev.tributary.cluster.internal.protocol.RequestIds;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.RunOptions;

/** A client with one session. */
final class TestClient implements AutoCloseable {
  private static final long LIMIT_SECONDS = 20;
  static final CallOptions DEFAULTS = CallOptions.defaults();

  final MasterInterface master;
  final String handle;
  private boolean closed;

  private TestClient(MasterInterface master, String handle) {
    this.master = master;
    this.handle = handle;
  }

  static TestClient open(MasterInterface master, Graph graph) {
    return open(master, GraphDefs.toProto(graph), ConfigProto.getDefaultInstance());
  }

  static TestClient open(MasterInterface master, GraphDef graph, ConfigProto config) {
    return new TestClient(master, await(create(master, graph, config)));
  }

  /** A client of a session that is open already. */
  static TestClient attach(MasterInterface master, String handle) {
    return new TestClient(master, handle);
  }

  static CompletableFuture<String> create(
      MasterInterface master, GraphDef graph, ConfigProto config) {
    return master
        .createSession(new CreateSessionRequest(graph, config, "grpc://other-0:1"), DEFAULTS)
        .thenApply(response -> response.sessionHandle());
  }

  long extend(GraphDef graph, long version) {
    return await(tryExtend(graph, version));
  }

  CompletableFuture<Long> tryExtend(GraphDef graph, long version) {
    return master.extendSession(new ExtendSessionRequest(handle, graph, version), DEFAULTS);
  }

  /** Runs operations for their effect. */
  void run(String... targets) {
    await(step(Map.of(), List.of(), List.of(targets)));
  }

  float fetch(String name) {
    return fetch(name, Map.of());
  }

  /** One number, after targets have been asked for along with it. */
  float fetch(String name, Map<String, Tensor> feeds, String... targets) {
    RunStepResponse response = await(step(feeds, List.of(name), List.of(targets)));
    try (Tensor value = response.tensors().get(0).tensor()) {
      return value.type().isObject() ? Float.NaN : (float) number(value);
    }
  }

  CompletableFuture<RunStepResponse> step(
      Map<String, Tensor> feeds, List<String> fetches, List<String> targets) {
    return step(feeds, fetches, targets, RunOptions.getDefaultInstance(), new Cancellation());
  }

  CompletableFuture<RunStepResponse> step(
      Map<String, Tensor> feeds,
      List<String> fetches,
      List<String> targets,
      RunOptions options,
      Cancellation cancellation) {
    return master.runStep(
        new RunStepRequest(handle, named(feeds), fetches, targets, options, "", RequestIds.next()),
        CallOptions.cancelledBy(cancellation));
  }

  CompletableFuture<String> partialRun(
      List<String> feeds, List<String> fetches, List<String> targets) {
    return master.partialRunSetup(
        new PartialRunSetupRequest(handle, feeds, fetches, targets, RequestIds.next()), DEFAULTS);
  }

  CompletableFuture<RunStepResponse> piece(
      String partialRun, Map<String, Tensor> feeds, List<String> fetches) {
    return master.runStep(
        new RunStepRequest(
            handle,
            named(feeds),
            fetches,
            List.of(),
            RunOptions.getDefaultInstance(),
            partialRun,
            RequestIds.next()),
        DEFAULTS);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      await(master.closeSession(handle, DEFAULTS));
    }
  }

  /** The number in each fetched tensor, by name; the tensors are closed. */
  static Map<String, Double> numbers(RunStepResponse response) {
    Map<String, Double> numbers = new TreeMap<>();
    for (NamedTensor fetched : response.tensors()) {
      try (Tensor value = fetched.tensor()) {
        numbers.put(fetched.name(), number(value));
      }
    }
    return numbers;
  }

  static <T> T await(CompletableFuture<T> call) {
    try {
      return call.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (RuntimeException) e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no answer within " + LIMIT_SECONDS + " s", e);
    }
  }

  static TributaryException failure(CompletableFuture<?> call) {
    try {
      throw new AssertionError("succeeded with " + await(call));
    } catch (TributaryException e) {
      return e;
    }
  }

  static ErrorCode code(CompletableFuture<?> call) {
    return failure(call).code();
  }

  private static double number(Tensor value) {
    return switch (value.type()) {
      case FLOAT -> value.floatValue();
      case INT64 -> value.longValue();
      case INT32 -> value.intValue();
      default -> throw new AssertionError("fetched a " + value.type());
    };
  }

  private static List<NamedTensor> named(Map<String, Tensor> feeds) {
    List<NamedTensor> named = new ArrayList<>();
    feeds.forEach((name, value) -> named.add(new NamedTensor(name, value)));
    return named;
  }
}
