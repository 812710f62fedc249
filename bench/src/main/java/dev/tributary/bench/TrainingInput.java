package dev.tributary.bench;

import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The course's batches: random images and one-hot labels, made beforehand and used in turn. Owns
 * its tensors. Confined to one thread.
 */
public final class TrainingInput implements AutoCloseable {
  private static final int BATCHES = 16;

  private final List<Tensor[]> batches = new ArrayList<>();
  private int next;

  /**
   * @param task which client's; each has batches of its own
   */
  public TrainingInput(Model model, int task) {
    Random random = new Random(1L + task);
    for (int i = 0; i < BATCHES; i++) {
      float[] pixels = new float[(int) model.images().elementCount()];
      for (int j = 0; j < pixels.length; j++) {
        pixels[j] = random.nextFloat();
      }
      float[] oneHot = new float[(int) model.labels().elementCount()];
      for (int row = 0; row < model.batch(); row++) {
        oneHot[row * Model.CLASSES + random.nextInt(Model.CLASSES)] = 1;
      }
      batches.add(
          new Tensor[] {Tensor.of(model.images(), pixels), Tensor.of(model.labels(), oneHot)});
    }
  }

  /** Images and labels of the first batch. */
  Tensor[] first() {
    return batches.get(0);
  }

  /** Images and labels of the next batch, from the first one on. */
  public Tensor[] next() {
    Tensor[] batch = batches.get(next);
    next = next + 1 == batches.size() ? 0 : next + 1;
    return batch;
  }

  @Override
  public void close() {
    batches.forEach(batch -> List.of(batch).forEach(Tensor::close));
  }
}
