package dev.tributary.cluster.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tributary.cluster.internal.protocol.CreateSessionRequest;
import dev.tributary.cluster.internal.protocol.CreateSessionResponse;
import dev.tributary.cluster.internal.protocol.ExtendSessionRequest;
import dev.tributary.cluster.internal.protocol.GraphPart;
import dev.tributary.cluster.internal.protocol.MasterInterface;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.protocol.RunStepRequest;
import dev.tributary.cluster.internal.protocol.RunStepResponse;
import dev.tributary.cluster.spec.HostAndPort;
import dev.tributary.cluster.testing.Recording;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.graph.Rewrite;
import dev.tributary.ops.Ops;
import dev.tributary.session.ClusterOptions;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepCallable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.RewriterConfig.Toggle;
import org.tensorflow.proto.RunMetadata;

/** What a session sends, and what it makes of odd answers. */
@NoLeaks
@Timeout(60)
class SessionMessagesTest {
  private static final String TARGET = "grpc://localhost:1";

  private final Recording<MasterInterface> master =
      Recording.of(MasterInterface.class).answering(this::answer);
  private final InProcessMasters.Entry entry =
      InProcessMasters.list(HostAndPort.parse("localhost:1"), master.target());
  private final Ops tf = Ops.create();
  private final Output one = tf.withName("one").constant(1f);
  private boolean refuseExtensions;

  @AfterEach
  void close() {
    entry.close();
    tf.graph().close();
  }

  @Test
  void open_graphAndOptions_areSent() throws Exception {
    SessionOptions options =
        SessionOptions.defaults()
            .withSoftPlacement(true)
            .without(Rewrite.FUSION)
            .withCluster(
                ClusterOptions.defaults().withDeviceFilters("/job:ps").withIsolatedState());

    Session.open(TARGET, tf.graph(), options).close();

    Recording.Call call = master.next();
    assertThat(call.options().waitForReady()).isFalse();
    assertThat(call.options().timeout())
        .contains(options.cluster().openTimeout().minus(RemoteSession.STATUS_LIMIT));
    CreateSessionRequest request = (CreateSessionRequest) call.arguments().get(0);
    assertThat(request.target()).isEqualTo(TARGET);
    assertThat(request.graph().toProto().getNodeList())
        .extracting(NodeDef::getName)
        .containsExactly("one");
    assertThat(request.config().getAllowSoftPlacement()).isTrue();
    assertThat(request.config().getIsolateSessionState()).isTrue();
    assertThat(request.config().getDeviceFiltersList()).containsExactly("/job:ps");
    assertThat(request.config().getGraphOptions().getRewriteOptions().getRemapping())
        .isEqualTo(Toggle.OFF);
    assertThat(request.config().getGraphOptions().getRewriteOptions().getConstantFolding())
        .isEqualTo(Toggle.ON);
    assertThat(master.next().method()).isEqualTo("closeSession");
  }

  @Test
  void open_masterInThisProcess_getsTheOperationsAndFunctionsAsAMessage() throws Exception {
    Session.open(TARGET, tf.graph()).close();
    assertThat(graphOf(master.next())).isInstanceOf(GraphPart.Operations.class);
    master.next();

    tf.call(tf.function("twice", (body, x) -> List.of(body.add(x.get(0), x.get(0)))), one);
    Session.open(TARGET, tf.graph()).close();

    GraphPart part = graphOf(master.next());
    assertThat(part).isInstanceOf(GraphPart.Message.class);
    assertThat(part.toProto().getLibrary().getFunctionCount()).isEqualTo(1);
  }

  @Test
  void run_graphGrew_sendsNewNodesOnceWithTheVersion() throws Exception {
    try (Session session = Session.open(TARGET, tf.graph())) {
      master.next();
      for (int version = 0; version < 2; version++) {
        Output grown = tf.withName("grown" + version).neg(one);
        session.runner().fetch(grown).run().close();
        session.runner().fetch(grown).run().close();

        ExtendSessionRequest extend = (ExtendSessionRequest) master.next().arguments().get(0);
        assertThat(extend.currentGraphVersion()).isEqualTo(version);
        assertThat(extend.graph().toProto().getNodeList())
            .extracting(NodeDef::getName)
            .containsExactly("grown" + version);
        assertThat(master.next().method()).isEqualTo("runStep");
        assertThat(master.next().method()).isEqualTo("runStep");
      }
    }
  }

  @Test
  void run_nodesWereRefused_sendsThemAgain() throws Exception {
    try (Session session = Session.open(TARGET, tf.graph())) {
      master.next();
      Output grown = tf.withName("grown").neg(one);
      refuseExtensions = true;
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> session.runner().fetch(grown).run())
          .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
      master.next();
      refuseExtensions = false;

      session.runner().fetch(grown).run().close();

      ExtendSessionRequest again = (ExtendSessionRequest) master.next().arguments().get(0);
      assertThat(again.currentGraphVersion()).isZero();
      assertThat(again.graph().nodeCount()).isEqualTo(1);
    }
  }

  @Test
  void run_fetchesTimeoutAndTargets_areNamed() throws Exception {
    try (Session session = Session.open(TARGET, tf.graph())) {
      master.next();
      session
          .runner()
          .fetch(one)
          .fetch(one)
          .target(one.operation())
          .options(RunOptions.defaults().withTimeout(Duration.ofMillis(1500)).withTrace())
          .run()
          .close();

      RunStepRequest request = (RunStepRequest) master.next().arguments().get(0);
      assertThat(request.fetches()).containsExactly("one:0");
      assertThat(request.targets()).containsExactly("one");
      assertThat(request.options().getTimeoutInMs()).isEqualTo(1500);
      assertThat(request.requestId()).isNotZero();
      assertThat(request.sessionHandle()).isEqualTo("handle");
    }
  }

  @Test
  void run_answerWithOtherNames_isInternal() {
    try (Session session = Session.open(TARGET, tf.graph())) {
      master.answering(
          call ->
              call.method().equals("runStep")
                  ? CompletableFuture.completedFuture(response("other:0"))
                  : answer(call));

      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> session.runner().fetch(one).run())
          .matches(e -> e.code() == ErrorCode.INTERNAL)
          .withMessageContaining("other:0");
    }
  }

  @Test
  void prepare_masterWithoutCallables_runsSteps() throws Exception {
    try (Session session = Session.open(TARGET, tf.graph());
        StepCallable callable = session.prepare(List.of(), List.of(one), List.of());
        StepResult result = callable.run()) {
      assertThat(result.get(0).floatValue()).isEqualTo(1f);
    }
  }

  @Test
  void open_malformedTarget_isRefused() {
    assertThatExceptionOfType(TributaryException.class)
        .isThrownBy(() -> Session.open("grpc://localhost", tf.graph()))
        .matches(e -> e.code() == ErrorCode.INVALID_ARGUMENT);
  }

  private static GraphPart graphOf(Recording.Call createSession) {
    return ((CreateSessionRequest) createSession.arguments().get(0)).graph();
  }

  private CompletableFuture<?> answer(Recording.Call call) {
    return switch (call.method()) {
      case "createSession" ->
          CompletableFuture.completedFuture(new CreateSessionResponse("handle", 0));
      case "extendSession" ->
          refuseExtensions
              ? CompletableFuture.failedFuture(TributaryException.invalidArgument("no"))
              : CompletableFuture.completedFuture(
                  ((ExtendSessionRequest) call.arguments().get(0)).currentGraphVersion() + 1);
      case "runStep" ->
          CompletableFuture.completedFuture(
              response(
                  ((RunStepRequest) call.arguments().get(0)).fetches().toArray(String[]::new)));
      case "makeCallable" ->
          CompletableFuture.failedFuture(TributaryException.unimplemented("callables"));
      default -> CompletableFuture.completedFuture(null);
    };
  }

  private static RunStepResponse response(String... names) {
    return new RunStepResponse(
        List.of(names).stream().map(name -> new NamedTensor(name, Tensor.scalar(1f))).toList(),
        RunMetadata.getDefaultInstance());
  }
}
