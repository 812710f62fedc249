package dev.tributary.bench;

import dev.tributary.tensor.Shape;
import java.util.Locale;

/** The networks of the course. */
public enum Model {
  /** 784-512-256-10, dense layers. */
  MLP(Shape.of(128, 784)),
  /** Two convolutions of 5 x 5 with pooling, and two dense layers. */
  CNN(Shape.of(64, 28, 28, 1));

  static final int CLASSES = 10;

  private final Shape images;

  Model(Shape images) {
    this.images = images;
  }

  /** The shape of a batch. */
  public Shape images() {
    return images;
  }

  public Shape labels() {
    return Shape.of(batch(), CLASSES);
  }

  public int batch() {
    return (int) images.size(0);
  }

  String lowerName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
