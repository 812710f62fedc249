package dev.tributary.train.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Value;
import dev.tributary.testing.JavaProgram;
import dev.tributary.testing.NoLeaks;
import dev.tributary.train.testing.TrainingCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Datasets on tasks of clusters. */
@NoLeaks
@Timeout(120)
class DatasetClusterTest {
  private static final ElementSpec<Output> NUMBER =
      ElementSpec.tensor(DataType.INT64, Shape.scalar());

  @Test
  void iterators_onAnotherTaskThanTheModel_giveItTheirElements() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2)) {
      Ops tf = Ops.create();
      Ops input = tf.withDevice("/job:worker/task:1");
      Variable offset = tf.withDevice("/job:ps/task:0").variable("offset", 100L);
      Dataset<Output> numbers = Dataset.range(50).shuffle(50, 3, false).map((f, x) -> f.neg(x), 2);
      DatasetIterator<Output> initializable = numbers.initializableIterator(input);
      Output once = numbers.batch(50).iterator(input).next();
      Output handle = tf.placeholder(DataType.STRING, Shape.scalar());
      Output fed = DatasetIterator.fromStringHandle(input, handle, NUMBER).next();
      Output model = tf.withDevice("/job:worker/task:0").add(initializable.next(), offset);
      try (var graph = tf.graph();
          Session session = cluster.session(0, graph)) {
        session.run(tf.globalVariablesInitializer());
        session.run(initializable.initializer());
        Feeds feeds = Feeds.of(handle, session.fetch(initializable.stringHandle()));

        long[] all = session.fetch(once).toLongs();
        assertThat(all).hasSize(50).contains(-49);
        assertThat(session.fetch(model).longValue()).isEqualTo(100 + all[0]);
        assertThat(session.fetch(fed, feeds).longValue()).isEqualTo(all[1]);
        assertThat(session.fetch(model).longValue()).isEqualTo(100 + all[2]);
      }
    }
  }

  @Test
  void shards_ofWorkers_areTogetherAll() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2)) {
      Ops tf = Ops.create();
      Output first = sum(tf, 0);
      Output second = sum(tf, 1);
      try (var graph = tf.graph();
          Session session = cluster.session(0, graph)) {
        assertThat(session.fetch(first).longValue()).isEqualTo(0 + 2 + 4 + 6 + 8);
        assertThat(session.fetch(second).longValue()).isEqualTo(1 + 3 + 5 + 7 + 9);
      }
    }
  }

  private static Output sum(Ops tf, int worker) {
    Ops there = tf.withDevice("/job:worker/task:" + worker);
    return Dataset.range(10)
        .shard(2, worker)
        .reduce(there, there.constant(0L), (f, sum, x) -> f.add(sum, x));
  }

  /** The pipeline never has an element, and its task is killed while a step waits for one. */
  @Test
  @Tag("processes")
  void worker_killedWhileItProduces_isNamedByTheStepThatWaits() throws Exception {
    List<String> addresses = FreePorts.addresses(2);
    String[] both = addresses.toArray(String[]::new);
    ServerOptions options = ServerOptions.of(DatasetServerMain.cluster(both), "ps", 0);
    try (JavaProgram worker = JavaProgram.start(DatasetServerMain.class, both);
        Server ps = Server.start(options)) {
      worker.awaitLine("ready");
      Ops tf = Ops.create();
      Ops input = tf.withDevice("/job:worker/task:0");
      Output first = Dataset.range(3).prefetch(1).iterator(input).next();
      Output none =
          Dataset.range(3)
              .repeat()
              .filter((f, x) -> f.less(x, f.constant(0L)))
              .prefetch(1)
              .iterator(input)
              .next();
      Output model = tf.withDevice("/job:ps/task:0").neg(none);
      try (var graph = tf.graph();
          Session session = Session.open(ps.target(), graph)) {
        assertThat(session.fetch(first).longValue()).isZero();
        CompletableFuture<Value> waiting =
            CompletableFuture.supplyAsync(() -> session.fetch(model));
        assertThat(waiting).isNotDone();

        worker.handle().destroyForcibly();

        assertThat(waiting)
            .failsWithin(Duration.ofSeconds(30))
            .withThrowableThat()
            .withCauseInstanceOf(TributaryException.class)
            .withMessageContaining("/job:worker/replica:0/task:0");
      }
    }
  }

  @Test
  @Tag("processes")
  void functionsOfJava_onATaskOfAnotherProcess_areRefused() throws Exception {
    String address = FreePorts.addresses(1).get(0);
    try (JavaProgram server = JavaProgram.start(DatasetServerMain.class, address)) {
      server.awaitLine("ready");
      Ops tf = Ops.create();
      Output mapped = Dataset.range(3).mapJava(NUMBER, e -> e.get(0)).iterator(tf).next();
      Output made = Dataset.generator(List.of(1L), NUMBER).iterator(tf).next();
      Output numbers = Dataset.range(3).iterator(tf).next();
      try (var graph = tf.graph();
          Session session = Session.open("grpc://" + address, graph)) {
        assertThat(session.fetch(numbers).longValue()).isZero();
        refused(session, mapped, "'mapJava' lives in the process of the program that made it");
        refused(session, made, "'generator' lives in the process of the program that made it");
      }
      server.endInput();
    }
  }

  private static void refused(Session session, Output next, String message) {
    assertThatThrownBy(() -> session.fetch(next))
        .isInstanceOfSatisfying(
            TributaryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION))
        .hasMessageContaining(message)
        .hasMessageContaining("place what calls it on a task in that process");
  }
}
