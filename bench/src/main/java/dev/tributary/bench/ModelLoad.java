package dev.tributary.bench;

import dev.tributary.bench.Figure.Better;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.savedmodel.SavedModel;
import dev.tributary.train.savedmodel.SignatureDef;
import dev.tributary.train.variable.Initializers;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Milliseconds to load a SavedModel whose files were written just before, and to load it and run
 * its first step, which reads all variables.
 *
 * @param variables how many there are
 * @param elements the elements of each
 * @param nodes the length of a chain of tiny ops behind them
 */
record ModelLoad(int variables, int elements, int nodes, Runtime runtime) implements Workload {
  static final String NAME = "model-load";

  private static final int LOADS = 5;
  private static final float X = 0.5f;

  /** Loads models, in the runtime that is measured. */
  interface Runtime {
    Loaded load(Path folder, String input, String output);
  }

  /** A model that was loaded. */
  interface Loaded extends AutoCloseable {
    /** Runs its signature on one number. */
    float run(float x);

    @Override
    void close();
  }

  /** 100 MB in 25 variables, and 1000 nodes. */
  static ModelLoad course(Runtime runtime) {
    return new ModelLoad(25, 1_000_000, 900, runtime);
  }

  static Loaded tributary(Path folder, String input, String output) {
    SavedModel model = SavedModel.load(folder);
    return new Loaded() {
      @Override
      public float run(float x) {
        return model
            .signature(SavedModel.SERVING_DEFAULT)
            .call(Map.of("x", x))
            .get("y")
            .floatValue();
      }

      @Override
      public void close() {
        model.close();
      }
    };
  }

  @Override
  public void run(Driver driver, Timing timing) {
    Path folder = temporary();
    try {
      String[] names = write(folder.resolve("model"));
      double[] load = new double[LOADS];
      double[] first = new double[LOADS];
      for (int i = -1; i < LOADS; i++) { // Once to warm up.
        long start = System.nanoTime();
        try (Loaded model = runtime.load(folder.resolve("model"), names[0], names[1])) {
          double loaded = (System.nanoTime() - start) / 1e6;
          float got = model.run(X);
          double ran = (System.nanoTime() - start) / 1e6;
          Checks.equal(NAME, got, expected());
          if (i >= 0) {
            load[i] = loaded;
            first[i] = ran;
          }
        }
      }
      report(driver, "load", load);
      report(driver, "load+first-step", first);
    } finally {
      delete(folder);
    }
  }

  private void report(Driver driver, String what, double[] millis) {
    Map<String, Object> parameters = new LinkedHashMap<>();
    parameters.put("nodes", nodes + 4 * variables);
    parameters.put("bytes", 4L * variables * elements);
    parameters.put("what", what);
    driver.report(new Figure(NAME, parameters, "ms", Better.MIN, millis));
  }

  /** All variables hold 0.25; their largest values are added up. */
  private float expected() {
    return OpChain.value(0.25f * variables, X, nodes);
  }

  /** Writes the model; the names of its input and its output. */
  private String[] write(Path folder) {
    Ops tf = Ops.create();
    VariableScope scope = VariableScope.of(tf).withInitializer(Initializers.constant(0.25));
    Output x = tf.withName("x").placeholder(DataType.FLOAT, Shape.scalar());
    List<Output> largest =
        Stream.iterate(0, i -> i + 1)
            .limit(variables)
            .map(i -> VariableSpec.of("v" + i, Shape.of(elements)))
            .map(spec -> tf.max(scope.getVariable(spec).value(), 0))
            .toList();
    Output y = OpChain.append(tf, tf.addN(largest), x, nodes);
    SignatureDef signature = SignatureDef.predict().withInput("x", x).withOutput("y", y);
    try (Session session = Session.local(tf.graph())) {
      session.run(Variables.globalInitializer(tf));
      SavedModel.save(folder, session, Map.of(SavedModel.SERVING_DEFAULT, signature));
    }
    return new String[] {x.operation().name(), y.operation().name()};
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory(NAME);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for the model", e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
