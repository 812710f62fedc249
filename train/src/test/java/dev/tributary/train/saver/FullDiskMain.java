package dev.tributary.train.saver;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.nio.file.Path;

/**
 * Saves a small variable and then a large one to a folder, {@code FullDiskMain FOLDER}, and tells
 * how that went. It is run where no file may become large.
 */
final class FullDiskMain {
  private FullDiskMain() {}

  public static void main(String[] arguments) {
    Path prefix = Path.of(arguments[0]).resolve("model.ckpt");
    save(prefix, 1, 10);
    try {
      save(prefix, 2, 4 << 20);
      System.out.println("saved");
    } catch (TributaryException e) {
      System.out.println(e.code() + " " + e.getMessage());
    }
  }

  private static void save(Path prefix, long step, long size) {
    Ops tf = Ops.create();
    VariableScope.of(tf).getVariable("w", Shape.of(size), Initializers.constant(step));
    Saver saver = Saver.of(tf.graph());
    try (ModelRun run = ModelRun.initialized(tf)) {
      saver.save(run.session(), prefix, step);
    }
  }
}
