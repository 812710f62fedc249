package dev.tributary.train.saver;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.DatasetIterator;
import dev.tributary.train.testing.ModelRun;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Trains over two epochs and prints each step, {@code InterruptedEpochMain PREFIX ROLE}. The first
 * role does so to the end. The second saves, takes some steps more, and waits to be killed. The
 * third begins with the checkpoint.
 */
final class InterruptedEpochMain {
  /** The step after which the second role saves. */
  static final int SAVED_STEP = 17;

  static final String WAITS = "waits";

  /** The parts that a process can play. */
  enum Role {
    WHOLE,
    KILLED,
    RESUMED
  }

  private InterruptedEpochMain() {}

  public static void main(String[] arguments) throws IOException {
    Path prefix = Path.of(arguments[0]);
    Role role = Role.valueOf(arguments[1]);
    Ops tf = Ops.create();
    DatasetIterator<Output> input =
        Dataset.range(90)
            .shuffle(32, 7)
            .repeat(2)
            .map((f, x) -> f.math.sin(f.cast(x, DataType.FLOAT)), 4)
            .batch(3)
            .prefetch(5)
            .initializableIterator(tf)
            .saveable();
    Output batch = input.next();
    Variable model =
        VariableScope.of(tf).getVariable("model", Shape.scalar(), Initializers.constant(1));
    Operation train = model.assignAdd(tf.mul(tf.sum(batch, 0), model.value()));
    Saver saver = Saver.of(tf.graph());
    try (ModelRun run = ModelRun.initialized(tf)) {
      run.run(input.initializer());
      if (role == Role.RESUMED) {
        saver.restore(run.session(), prefix);
      }
      for (int step = 1; true; step++) {
        try (StepResult done = run.session().runner().fetch(batch).target(train).run()) {
          System.out.println("step " + bits(done.get(0)) + bits(run, model));
        }
        if (role == Role.KILLED && step == SAVED_STEP) {
          saver.save(run.session(), prefix);
        }
        if (role == Role.KILLED && step == SAVED_STEP + 5) {
          System.out.println(WAITS);
          System.in.read();
        }
      }
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.OUT_OF_RANGE) {
        throw e;
      }
    }
  }

  private static String bits(Tensor batch) {
    int[] bits = new int[(int) batch.elementCount()];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(batch.toFloats()[i]);
    }
    return Arrays.toString(bits);
  }

  private static String bits(ModelRun run, Variable model) {
    return " " + Float.floatToRawIntBits(run.floatOf(model.value()));
  }
}
