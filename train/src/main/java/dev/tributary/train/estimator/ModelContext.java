package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import java.util.Map;

/**
 * The circumstances for which a model function builds its model. Immutable.
 *
 * @param params the settings of {@link Estimator#withParams}
 */
public record ModelContext(ModeKeys mode, Map<String, Object> params, RunConfig config) {
  public ModelContext {
    params = Map.copyOf(params);
  }

  /** Returns one of the settings. NOT_FOUND lists those that exist. */
  public <T> T param(String name, Class<T> type) {
    Object value = params.get(name);
    if (value == null) {
      throw TributaryException.notFound(
          "the estimator has no param '%s', it has %s", name, params.keySet());
    }
    if (!type.isInstance(value)) {
      throw TributaryException.invalidArgument(
          "param '%s' is a %s, wanted a %s",
          name, value.getClass().getSimpleName(), type.getSimpleName());
    }
    return type.cast(value);
  }
}
