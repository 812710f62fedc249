package dev.tributary.train.saver;

import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Path;

/**
 * Saves a large variable again and again until it is killed, {@code KilledSaveMain PREFIX}. With a
 * second argument, all checkpoints have one name.
 */
final class KilledSaveMain {
  static final Shape SHAPE = Shape.of(4 << 20);

  private KilledSaveMain() {}

  public static void main(String[] arguments) {
    Path prefix = Path.of(arguments[0]);
    Ops tf = Ops.create();
    VariableScope.of(tf).getVariable("w", SHAPE, Initializers.constant(7));
    Saver saver = Saver.of(tf.graph());
    try (ModelRun run = ModelRun.initialized(tf)) {
      for (long step = 1; true; step++) {
        if (arguments.length == 1) {
          saver.save(run.session(), prefix, step);
        } else {
          saver.save(run.session(), prefix);
        }
      }
    }
  }
}
