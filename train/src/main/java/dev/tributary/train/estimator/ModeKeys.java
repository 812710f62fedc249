package dev.tributary.train.estimator;

/**
 * The uses for which a model function builds its graph, in the order in which exports hold them.
 */
public enum ModeKeys {
  TRAIN("train"),
  EVAL("eval"),
  PREDICT("infer");

  private final String key;

  ModeKeys(String key) {
    this.key = key;
  }

  /** Returns TensorFlow's name of the mode. */
  public String key() {
    return key;
  }
}
