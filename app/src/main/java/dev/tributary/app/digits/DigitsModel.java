package dev.tributary.app.digits;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.optimizer.ExponentialMovingAverage;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tensorflow.proto.MetaGraphDef;
import org.tensorflow.proto.TensorShapeProto;

/**
 * A trained network in a session of its own, restored from the latest checkpoint of a training.
 * Confined to one thread.
 */
final class DigitsModel implements AutoCloseable {
  private final Path checkpoint;
  private final Graph graph;
  private final Session session;
  private final Output images;
  private final Output probabilities;
  private final Variable globalStep;
  private final DigitsEvaluation evaluation;

  private DigitsModel(Path checkpoint, SessionOptions options) {
    this.checkpoint = checkpoint;
    Ops tf = Ops.create();
    graph = tf.graph();
    images = tf.withName(DigitsNetwork.IMAGES).placeholder(DataType.FLOAT, shapeOf(checkpoint));
    Output labels = tf.withName("labels").placeholder(DataType.INT32, Shape.of(-1));
    globalStep = GlobalStep.create(tf);
    VariableScope scope = DigitsNetwork.scope(tf);
    Output logits = DigitsNetwork.logits(scope, images);
    ExponentialMovingAverage averages = new ExponentialMovingAverage(DigitsNetwork.AVERAGE_DECAY);
    averages.apply(tf, Variables.trainable(graph));
    Output averageLogits = DigitsNetwork.logits(DigitsNetwork.averaged(scope, averages), images);
    probabilities = tf.softmax(averageLogits);
    Output correct = DigitsNetwork.correct(tf, labels, logits);
    Output averageCorrect = DigitsNetwork.correct(tf, labels, averageLogits);
    Saver saver = Saver.of(tf.graph());
    session = Session.local(graph, options);
    evaluation = new DigitsEvaluation(session, images, labels, correct, averageCorrect);
    try {
      saver.restore(session, checkpoint);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** The network of a training with this logdir, for the caller to close. */
  static DigitsModel restore(Path logdir, SessionOptions options) {
    if (!Files.isDirectory(logdir)) {
      throw TributaryException.notFound("--logdir %s is not a folder", logdir);
    }
    Path checkpoint =
        Saver.latestCheckpoint(logdir)
            .orElseThrow(
                () ->
                    TributaryException.notFound(
                        "there is no checkpoint in %s; train first, with 'tributary digits"
                            + " --logdir %s'",
                        logdir, logdir));
    return new DigitsModel(checkpoint, options);
  }

  /** The shape of batches of images, from the graph that is saved with a checkpoint. */
  private static Shape shapeOf(Path checkpoint) {
    Path file = BundleFiles.withSuffix(checkpoint, ".meta");
    try {
      TensorShapeProto shape =
          MetaGraphDef.parseFrom(Files.readAllBytes(file)).getGraphDef().getNodeList().stream()
              .filter(node -> node.getName().equals(DigitsNetwork.IMAGES))
              .map(node -> node.getAttrOrThrow("shape").getShape())
              .filter(found -> found.getDimCount() == 4)
              .findFirst()
              .orElseThrow(
                  () ->
                      TributaryException.invalidArgument(
                          "%s was not written by 'tributary digits': its graph has no batch of"
                              + " images called '%s'",
                          checkpoint, DigitsNetwork.IMAGES));
      return Shape.of(-1, shape.getDim(1).getSize(), shape.getDim(2).getSize(), 1);
    } catch (IOException e) {
      throw FileFailure.of("read the graph of a checkpoint,", file, e);
    }
  }

  Path checkpoint() {
    return checkpoint;
  }

  /** The pixels of an image from top to bottom. */
  int height() {
    return (int) images.shape().size(1);
  }

  /** The pixels of an image from left to right. */
  int width() {
    return (int) images.shape().size(2);
  }

  /** Returns the number of steps it was trained for. */
  long step() {
    try (StepResult result = session.runner().fetch(globalStep.value()).run()) {
      return result.get(0).longValue();
    }
  }

  DigitsAccuracy accuracy(ImageSet test) {
    if (test.height() != height() || test.width() != width()) {
      throw TributaryException.invalidArgument(
          "%s was trained on images of %d x %d pixels, these are %d x %d; give the same --data as"
              + " in training",
          checkpoint, width(), height(), test.width(), test.height());
    }
    return evaluation.accuracy(test);
  }

  /**
   * The probability of each digit, by the moving averages of the variables.
   *
   * @param pixels of one image, row by row, from 0 to 1
   */
  float[] probabilities(float[] pixels) {
    try (Tensor image = Tensor.of(Shape.of(1, height(), width(), 1), pixels);
        StepResult result = session.runner().feed(images, image).fetch(probabilities).run()) {
      return result.get(0).toFloats();
    }
  }

  @Override
  public void close() {
    session.close();
    graph.close();
  }
}
