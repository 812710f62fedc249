package dev.tributary.bench.network;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.GradientDescentOptimizer;
import dev.tributary.train.variable.Variables;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A finished graph with one step to run. Initial values come from seeds of the graph, so that they
 * are the same in each runtime.
 *
 * @param initializer gives the variables their initial values, if there are any
 */
public record Network(
    List<Feed> feeds, Output fetch, List<Operation> targets, Optional<Operation> initializer) {
  private static final double LEARNING_RATE = 0.01;

  /** The feeds of a step: always the same values. */
  public record Feed(Output placeholder, Shape shape, float... values) {
    /** Values around zero that look random. */
    public static Feed random(Output placeholder) {
      Shape shape = placeholder.shape();
      float[] values = new float[Math.toIntExact(shape.elementCount())];
      Random random = new Random(values.length);
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextFloat() - 0.5f;
      }
      return new Feed(placeholder, shape, values);
    }
  }

  /** A step that only computes, without variables. */
  public static Network computing(Feed feed, Output fetch) {
    return new Network(List.of(feed), fetch, List.of(), Optional.empty());
  }

  /** Fetches what a model makes of its inputs. */
  static Network inference(Ops tf, Output inputs, Output result) {
    return new Network(
        List.of(Feed.random(inputs)),
        result,
        List.of(),
        Optional.of(Variables.globalInitializer(tf)));
  }

  /** Moves the result towards fed values by gradient descent, and fetches the squared error. */
  static Network training(Ops tf, Output inputs, Output result) {
    Output wanted = tf.placeholder(result.type(), result.shape());
    Output loss = tf.mean(tf.square(tf.sub(result, wanted)));
    Operation train = new GradientDescentOptimizer(LEARNING_RATE).minimize(loss);
    return new Network(
        List.of(Feed.random(inputs), Feed.random(wanted)),
        loss,
        List.of(train),
        Optional.of(Variables.globalInitializer(tf)));
  }

  public Graph graph() {
    return fetch.operation().graph();
  }

  public List<Output> placeholders() {
    return feeds.stream().map(Feed::placeholder).toList();
  }
}
