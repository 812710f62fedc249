package dev.tributary.app;

import dev.tributary.cluster.internal.rpc.FreePorts;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.session.StepCallable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.model.Activation;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Embedding;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.replica.ReplicaDeviceSetter;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A short life of a task: a parameter server and a worker in this process, a session at the worker
 * and a local one, small and large steps, dense and sparse updates, a checkpoint. Java learns from
 * it what later processes load and which of their methods are worth compiling.
 */
final class StartupExercise {
  private static final int WORDS = 1_000;
  private static final int WIDTH = 64;
  private static final int CLASSES = 10;

  /** Enough calls for the compiler to have an opinion of the methods on a step's path. */
  private static final int SMALL_STEPS = 400;

  private static final int LARGE_STEPS = 20;
  private static final int SMALL_BATCH = 8;
  private static final int LARGE_BATCH = 2_048;

  private final Path folder;

  /**
   * @param folder takes a checkpoint
   */
  StartupExercise(Path folder) {
    this.folder = folder;
  }

  void run() {
    Model local = new Model(Ops.create());
    try (Session session = Session.local(local.tf.graph())) {
      local.train(session);
    }
    ClusterSpec cluster =
        ClusterSpec.of(Map.of("ps", FreePorts.addresses(1), "worker", FreePorts.addresses(1)));
    try (Server ps = Server.start(ServerOptions.of(cluster, "ps", 0));
        Server worker = Server.start(ServerOptions.of(cluster, "worker", 0))) {
      Model shared = new Model(Ops.create().withDeviceFunction(ReplicaDeviceSetter.of(1)));
      try (Session session = Session.open(worker.target(), shared.tf.graph())) {
        shared.train(session);
        shared.save(session, folder.resolve("model.ckpt"));
      }
    }
  }

  /** A network over embedded words, so that some of its updates are sparse. */
  private static final class Model {
    private final Ops tf;
    private final Output words;
    private final Output labels;
    private final Output loss;
    private final Operation train;
    private final Saver saver;

    Model(Ops tf) {
      this.tf = tf;
      words = tf.placeholder(DataType.INT32, Shape.of(-1));
      labels = tf.placeholder(DataType.INT32, Shape.of(-1));
      VariableScope scope = VariableScope.of(tf);
      Output embedded = Embedding.of(WORDS, WIDTH).apply(scope.open("words"), words);
      Output hidden =
          Dense.of(WIDTH).withActivation(Activation.RELU).apply(scope.open("hidden"), embedded);
      Output logits = Dense.of(CLASSES).apply(scope.open("logits"), hidden);
      loss = Losses.sparseSoftmaxCrossEntropy(labels, logits);
      train = new GradientDescentOptimizer(0.01).minimize(loss);
      saver = Saver.of(tf.graph());
    }

    void train(Session session) {
      session.run(tf.globalVariablesInitializer());
      session.run(train, feeds(SMALL_BATCH));
      step(session, SMALL_BATCH, SMALL_STEPS);
      step(session, LARGE_BATCH, LARGE_STEPS);
    }

    private void step(Session session, int batch, int steps) {
      try (Tensor word = Tensor.of(numbers(batch, WORDS));
          Tensor label = Tensor.of(numbers(batch, CLASSES));
          StepCallable callable =
              session.prepare(List.of(words, labels), List.of(loss), List.of(train))) {
        for (int i = 0; i < steps; i++) {
          callable.run(word, label).close();
        }
      }
    }

    void save(Session session, Path prefix) {
      saver.restore(session, saver.save(session, prefix));
      float value = session.fetch(loss, feeds(SMALL_BATCH)).floatValue();
      if (!Float.isFinite(value)) {
        throw TributaryException.internal("the loss of the exercise is %s", value);
      }
    }

    private Feeds feeds(int batch) {
      return Feeds.of(words, numbers(batch, WORDS)).and(labels, numbers(batch, CLASSES));
    }

    private static int[] numbers(int count, int below) {
      int[] numbers = new int[count];
      for (int i = 0; i < count; i++) {
        numbers[i] = i * 31 % below;
      }
      return numbers;
    }
  }
}
