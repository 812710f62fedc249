package dev.tributary.examples.model;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Feeds;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.model.Dense;
import dev.tributary.train.model.Embedding;
import dev.tributary.train.model.Gru;
import dev.tributary.train.model.Losses;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.variable.VariableScope;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Learns to continue a text of Shakespeare character by character, then writes a passage: {@code
 * TextModel [STEPS]}.
 */
public final class TextModel {
  private static final int BATCH = 32;
  private static final int LENGTH = 40;
  private static final int WRITTEN = 300;

  private TextModel() {}

  public static void main(String[] arguments) {
    int steps = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 600;
    CharacterText text = CharacterText.shakespeare();
    int characters = text.alphabet().length();

    Ops tf = Ops.create();
    tf.graph().setSeed(1);
    Output passages = tf.placeholder(DataType.INT32, Shape.of(-1, -1));
    VariableScope scope = VariableScope.of(tf);
    Output embedded = Embedding.of(characters, 32).apply(scope.open("embedding"), passages);
    Output states = Gru.of(128).withSequences().apply(scope.open("memory"), embedded);
    Output logits = Dense.of(characters).apply(scope.open("logits"), states);
    Output ofNext = tf.reshape(logits, -1, characters);

    Output following = tf.placeholder(DataType.INT32, Shape.of(-1, -1));
    Output loss = Losses.sparseSoftmaxCrossEntropy(tf.reshape(following, -1), ofNext);
    Operation train = new AdamOptimizer(0.005).minimize(loss);
    Output drawn = tf.cast(tf.random.multinomial(ofNext, tf.constant(1)), DataType.INT32);

    try (Session session = Session.local(tf.graph())) {
      session.run(tf.globalVariablesInitializer());
      Random random = new Random(1);
      for (int step = 1; step <= steps; step++) {
        int[][] batch = text.passages(random, BATCH, LENGTH + 1);
        Feeds feeds = Feeds.of(passages, part(batch, 0)).and(following, part(batch, 1));
        session.run(train, feeds);
        if (step % 50 == 0) {
          System.out.printf("step %d, loss %.2f%n", step, session.fetch(loss, feeds).floatValue());
        }
      }
      StringBuilder written = new StringBuilder("First Citizen:\n");
      while (written.length() < WRITTEN) {
        String end = written.substring(Math.max(0, written.length() - LENGTH));
        Feeds feeds = Feeds.of(passages, new int[][] {text.numbers(end)});
        int[] next = session.fetch(drawn, feeds).toInts();
        written.append(text.alphabet().charAt(next[next.length - 1]));
      }
      System.out.println(written);
    }
  }

  /** Returns passages that are one character shorter. */
  private static int[][] part(int[][] batch, int from) {
    return Stream.of(batch)
        .map(row -> Arrays.copyOfRange(row, from, from + LENGTH))
        .toArray(int[][]::new);
  }
}
