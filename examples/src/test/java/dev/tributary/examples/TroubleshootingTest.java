package dev.tributary.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.QueueOptions;
import dev.tributary.session.RunOptions;
import dev.tributary.session.RunningStep;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.JavaProgram;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Provokes each error of the guide's page on troubleshooting, in the order of its table. */
@Tag("processes")
@Timeout(120)
class TroubleshootingTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Z_]+.*?)` \\|");
  private final Ops tf = Ops.create();
  private final Output one = tf.constant(1f);

  private interface Mistake {
    void make() throws Exception;
  }

  @Test
  void errors_ofThePage_areThoseThatProgramsGet() throws Exception {
    List<Mistake> mistakes =
        List.of(
            this::readsBeforeInitialization,
            this::forgetsAFeed,
            this::multipliesMatricesThatDoNotFit,
            this::mixesGraphs,
            this::usesATensorAfterItsClose,
            this::mistypesTheHost,
            this::connectsWhereNobodyListens,
            this::losesItsTask,
            this::waitsForTooLong,
            this::sendsTooMuch);
    List<String> page =
        ROW.matcher(Files.readString(Path.of("../docs/guide/09-troubleshooting.md")))
            .results()
            .map(row -> row.group(1))
            .toList();

    assertThat(page).hasSameSizeAs(mistakes);
    for (int i = 0; i < mistakes.size(); i++) {
      TributaryException error =
          catchThrowableOfType(TributaryException.class, mistakes.get(i)::make);
      assertThat(error).as(page.get(i)).isNotNull();
      assertThat(error.code() + ": " + error.getMessage())
          .containsSubsequence(page.get(i).replace("...", "\n").split("\\s*\\n\\s*"));
    }
  }

  private void readsBeforeInitialization() {
    try (Session session = Session.local(tf.graph())) {
      session.fetch(tf.variable("w", 0f));
    }
  }

  private void forgetsAFeed() {
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.of(-1));
    try (Session session = Session.local(tf.graph())) {
      session.fetch(tf.square(x));
    }
  }

  private void multipliesMatricesThatDoNotFit() {
    Output matrix = tf.placeholder(DataType.FLOAT, Shape.of(2, 3));
    tf.matMul(matrix, matrix);
  }

  private void mixesGraphs() {
    Ops.create().square(one);
  }

  private void usesATensorAfterItsClose() {
    try (Session session = Session.local(tf.graph())) {
      StepResult result = session.runner().fetch(one).run();
      Tensor value = result.get(0);
      result.close();
      value.floatValue();
    }
  }

  private void mistypesTheHost() {
    Session.open("grpc://wk0.invalid:2222", tf.graph()).close();
  }

  private void connectsWhereNobodyListens() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    Session.open("grpc://localhost:" + free, tf.graph()).close();
  }

  private void losesItsTask() throws Exception {
    Output never = neverEnqueued();
    try (JavaProgram server = JavaProgram.start(ServerProgram.class)) {
      List<String> lines = server.awaitLine("target=").lines();
      String target = lines.get(lines.size() - 1).substring("target=".length());
      try (Session session = Session.open(target, tf.graph())) {
        session.fetch(one);
        RunningStep step = session.runner().fetch(never).start();
        server.handle().destroyForcibly();
        step.await().close();
      }
    }
  }

  private void waitsForTooLong() {
    Output never = neverEnqueued();
    RunOptions options = RunOptions.defaults().withTimeout(Duration.ofMillis(50));
    try (Session session = Session.local(tf.graph())) {
      session.runner().fetch(never).options(options).run().close();
    }
  }

  private void sendsTooMuch() {
    Limits limits = Limits.defaults().withGraphNodes(1);
    try (Server server = Server.start(ServerProgram.options().withLimits(limits));
        Session session = Session.open(server.target(), tf.graph())) {
      session.fetch(one);
    }
  }

  private Output neverEnqueued() {
    return tf.queues.fifoQueue(QueueOptions.of(1, DataType.FLOAT)).dequeue().get(0);
  }

  /** A server until its input ends or the process does. */
  static final class ServerProgram {
    static ServerOptions options() {
      ClusterSpec cluster = ClusterSpec.of(Map.of("local", List.of("localhost:0")));
      return ServerOptions.of(cluster, "local", 0);
    }

    public static void main(String[] args) throws Exception {
      try (Server server = Server.start(options())) {
        System.out.println("target=" + server.target());
        System.in.read();
      }
    }

    private ServerProgram() {}
  }
}
