package dev.tributary.internal.kernel.image;

import dev.tributary.error.TributaryException;
import java.util.Locale;

/**
 * The weight of a pixel by its distance from the sampled place, called {@code kernel_type} in
 * TensorFlow. Computed in float, as there.
 */
enum SamplingFilter {
  LANCZOS1(1) {
    @Override
    float weight(float distance) {
      return lanczos(distance);
    }
  },

  LANCZOS3(3) {
    @Override
    float weight(float distance) {
      return lanczos(distance);
    }
  },

  LANCZOS5(5) {
    @Override
    float weight(float distance) {
      return lanczos(distance);
    }
  },

  GAUSSIAN(1.5f) {
    @Override
    float weight(float distance) {
      return distance >= radius() ? 0 : (float) Math.exp(-distance * distance / (2 * 0.5 * 0.5));
    }
  },

  BOX(1) {
    @Override
    float weight(float distance) {
      if (distance < 0.5f) {
        return 1;
      }
      return distance == 0.5f ? 0.5f : 0;
    }
  },

  TRIANGLE(1) {
    @Override
    float weight(float distance) {
      return distance < 1 ? 1 - distance : 0;
    }
  },

  KEYSCUBIC(2) {
    @Override
    float weight(float distance) {
      if (distance >= 2) {
        return 0;
      }
      return distance >= 1
          ? ((-0.5f * distance + 2.5f) * distance - 4) * distance + 2
          : (1.5f * distance - 2.5f) * distance * distance + 1;
    }
  },

  MITCHELLCUBIC(2) {
    @Override
    float weight(float distance) {
      if (distance >= 2) {
        return 0;
      }
      return distance >= 1
          ? ((-7f / 18 * distance + 2) * distance - 10f / 3) * distance + 16f / 9
          : (7f / 6 * distance - 2) * distance * distance + 8f / 9;
    }
  };

  private static final float PI = 3.14159265359f;

  private final float radius;

  SamplingFilter(float radius) {
    this.radius = radius;
  }

  /** The filter with this {@code kernel_type} name. */
  static SamplingFilter of(String name) {
    for (SamplingFilter filter : values()) {
      if (filter.name().toLowerCase(Locale.ROOT).equals(name)) {
        return filter;
      }
    }
    throw TributaryException.invalidArgument("Unrecognized kernel type: '%s'", name);
  }

  /** The distance from which on pixels have no weight. */
  float radius() {
    return radius;
  }

  /** The weight at a distance of 0 or more. */
  abstract float weight(float distance);

  final float lanczos(float distance) {
    if (distance > radius) {
      return 0;
    }
    if (distance <= 1e-3) {
      return 1;
    }
    float angle = PI * distance;
    return radius
        * (float) Math.sin(angle)
        * (float) Math.sin(angle / radius)
        / (PI * PI * distance * distance);
  }
}
