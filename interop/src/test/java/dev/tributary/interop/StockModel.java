package dev.tributary.interop;

import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.tensorflow.proto.GraphDef;

/**
 * A model for stock TensorFlow to run, its gradients and updates included, and the names by which
 * to train it. All initial values are constants and all updates of a step wait for all its
 * gradients, so each step has one right result.
 *
 * @param graph everything, under the graph version of who built it
 * @param init the node to run once, before all steps
 * @param train the node whose run is one step of gradient descent; runs with {@link #loss} see the
 *     loss before the update
 * @param loss the output with the mean loss of the batch, a scalar
 * @param logits the output with the scores, [batch, classes]
 * @param features the placeholder's output to feed with a batch of inputs
 * @param labels the placeholder's output to feed with their classes
 * @param variables the outputs with the variables' values, as reads of a variable give them
 * @param gradients the outputs with the gradients, in the variables' order
 * @param shape what one example looks like
 * @param classes how many classes there are
 * @param sparseLabels whether labels are int32 class numbers, [batch]; else they are float rows
 *     with a single one
 */
record StockModel(
    GraphDef graph,
    String init,
    String train,
    String loss,
    String logits,
    String features,
    String labels,
    List<String> variables,
    List<String> gradients,
    Shape shape,
    int classes,
    boolean sparseLabels) {

  /**
   * A batch, always the same for a seed: noise with a bright spot whose place is the class. Ready
   * to feed, and to close.
   */
  Map<String, Tensor> batch(int examples, long seed) {
    Random random = new Random(seed);
    int width = Math.toIntExact(shape.elementCount());
    float[] pixels = new float[examples * width];
    int[] numbers = new int[examples];
    float[] rows = new float[examples * classes];
    for (int i = 0; i < examples; i++) {
      for (int j = 0; j < width; j++) {
        pixels[i * width + j] = (float) random.nextGaussian() / 2;
      }
      numbers[i] = random.nextInt(classes);
      pixels[i * width + numbers[i] * width / classes] += 3;
      rows[i * classes + numbers[i]] = 1;
    }
    Tensor classTensor =
        sparseLabels ? Tensor.of(numbers) : Tensor.of(Shape.of(examples, classes), rows);
    return Map.of(
        features, Tensor.of(Shape.of(examples).concatenate(shape), pixels), labels, classTensor);
  }
}
