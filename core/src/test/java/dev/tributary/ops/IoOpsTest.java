package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NoLeaks
class IoOpsTest {
  @TempDir private Path folder;
  private Ops tf;

  @BeforeEach
  void makeGraph() {
    tf = Ops.create();
  }

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @Test
  void restore_variablesAfterTraining_givesWhatWasSaved() {
    Output prefix = tf.constant(folder.resolve("model").toString());
    Variable w = tf.variable("w", tf.constant(1f, 2f));
    Operation init = tf.globalVariablesInitializer();
    Operation save = tf.io.saveV2(prefix, names("w"), names(""), List.of(w.value()));
    Output restored =
        tf.io.restoreV2(prefix, names("w"), names(""), List.of(DataType.FLOAT)).get(0);
    Operation change = w.assign(tf.constant(5f, 6f));
    Operation restore = w.assign(restored);
    try (Session session = Sessions.local(tf.graph())) {
      session.run(init);
      session.run(save);
      session.run(change);
      session.run(restore);
      try (StepResult result = session.runner().fetch(w.value()).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(1, 2);
      }
    }
  }

  @Test
  void save_folderThatIsAFile_tellsWhatIsInTheWay() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    TributaryException failure = failureOf(save(file.resolve("model"), tf.constant(1f)));

    assertThat(failure.code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    assertThat(failure).hasMessageContaining("SaveV2").hasMessageContaining(file.toString());
  }

  @Test
  void save_manyInOneStepWithOneThread_areAllWritten() {
    List<Operation> saves = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      saves.add(save(folder.resolve("model-" + i), tf.constant((float) i)));
    }
    SessionOptions oneThread = SessionOptions.defaults().withInterOpThreads(1);
    try (Session session = Session.local(tf.graph(), oneThread)) {
      session.run(saves.toArray(new Operation[0]));
    }

    for (int i = 0; i < saves.size(); i++) {
      try (BundleReader reader = BundleReader.open(folder.resolve("model-" + i));
          Tensor x = reader.read("x")) {
        assertThat(x.floatValue()).isEqualTo(i);
      }
    }
  }

  @Test
  void save_resource_isRefusedAndLeavesNoFile() throws IOException {
    Output handle = tf.variable("w", tf.constant(1f)).handle();

    TributaryException failure = failureOf(save(folder.resolve("model"), handle));

    assertThat(failure.code()).isEqualTo(ErrorCode.UNIMPLEMENTED);
    assertThat(failure).hasMessageContaining("'x'").hasMessageContaining("resource");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void restore_anotherTypeOrShape_isRefused() {
    run(save(folder.resolve("model"), tf.constant(1f, 2f, 3f)));

    assertThat(restoreFailure("x", "", DataType.INT32))
        .hasMessageContaining("tensor_name = x")
        .hasMessageContaining("int32")
        .hasMessageContaining("float");
    assertThat(restoreFailure("x", "4 0,2", DataType.FLOAT))
        .hasMessageContaining("[4]")
        .hasMessageContaining("[3]");
    assertThat(restoreFailure("y", "", DataType.FLOAT))
        .hasMessageContaining("Key y")
        .hasMessageContaining("[x]");
  }

  @Test
  void restore_vanishedData_isNotFound() throws IOException {
    run(save(folder.resolve("model"), tf.constant(1f)));
    Files.delete(BundleFiles.data(folder.resolve("model"), 0, 1));

    assertThat(restoreFailure("x", "", DataType.FLOAT).code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  @Test
  void readFile_missing_isNotFoundAndNamesIt() {
    Output read = tf.io.readFile(tf.constant(folder.resolve("gone").toString()));

    TributaryException failure = failureOf(read.operation());

    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure).hasMessageContaining(folder.resolve("gone").toString());
  }

  @Test
  void readFile_changedBetweenSteps_givesTheNewContent() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "one");
    Output read = tf.io.readFile(tf.constant(file.toString()));
    try (Session session = Sessions.local(tf.graph())) {
      session.runner().fetch(read).run().close();
      Files.writeString(file, "two");
      try (StepResult result = session.runner().fetch(read).run()) {
        assertThat(result.get(0).stringValue()).isEqualTo("two");
      }
    }
  }

  private Operation save(Path prefix, Output tensor) {
    return tf.io.saveV2(tf.constant(prefix.toString()), names("x"), names(""), List.of(tensor));
  }

  private TributaryException restoreFailure(String name, String slice, DataType type) {
    Output prefix = tf.constant(folder.resolve("model").toString());
    return failureOf(
        tf.io.restoreV2(prefix, names(name), names(slice), List.of(type)).get(0).operation());
  }

  private Output names(String name) {
    return tf.constant(Shape.of(1), name);
  }

  private TributaryException failureOf(Operation operation) {
    return catchThrowableOfType(TributaryException.class, () -> run(operation));
  }

  private void run(Operation operation) {
    try (Session session = Sessions.local(tf.graph())) {
      session.run(operation);
    }
  }
}
