package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Value;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The prediction for one example, or for a batch if that was asked for. Immutable. */
public final class Prediction {
  private final Map<String, Value> values;

  Prediction(Map<String, Value> values) {
    this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** Returns one of the model's predictions. NOT_FOUND lists those that exist. */
  public Value get(String name) {
    Value value = values.get(name);
    if (value == null) {
      throw TributaryException.notFound("no prediction '%s'; there are %s", name, values.keySet());
    }
    return value;
  }

  public Set<String> names() {
    return values.keySet();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
