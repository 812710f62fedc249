package dev.tributary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** The README's program: it stands here word for word, and does what the README says. */
@NoLeaks
class QuickStartTest {
  @Test
  void program_run_fitsTheLine() {
    String[] words = printed(QuickStartTest::program).trim().split(" ");

    assertThat(Float.parseFloat(words[0])).isCloseTo(2f, Offset.offset(0.01f));
    assertThat(Float.parseFloat(words[words.length - 1])).isCloseTo(1f, Offset.offset(0.01f));
  }

  @Test
  void program_inTheReadme_isThisOne() throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    int start = readme.indexOf("```java") + "```java".length();
    String program = readme.substring(start, readme.indexOf("```", start));
    String source = Files.readString(Path.of("src/test/java/dev/tributary/QuickStartTest.java"));

    assertThat(withoutSpace(source)).contains(withoutSpace(program));
  }

  private static void program() {
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1)),
        y = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Variable w = tf.variable("w", tf.constant(0f)), b = tf.variable("b", tf.constant(0f));
    Output line = tf.add(tf.mul(w.value(), x), b.value());
    Output loss = tf.mean(tf.squaredDifference(line, y));
    List<Output> grads = Gradients.dense(tf, loss, List.of(w.handle(), b.handle()));
    Operation trainW =
        tf.training.applyGradientDescent(w.handle(), tf.constant(0.1f), grads.get(0));
    Operation trainB =
        tf.training.applyGradientDescent(b.handle(), tf.constant(0.1f), grads.get(1));
    Operation init = tf.globalVariablesInitializer();
    try (Graph graph = tf.graph();
        Session session = Session.local(graph);
        Tensor xs = Tensor.of(0f, 1f, 2f);
        Tensor ys = Tensor.of(1f, 3f, 5f)) {
      session.run(init);
      for (int i = 0; i < 200; i++)
        session.runner().feed(x, xs).feed(y, ys).target(trainW).target(trainB).run().close();
      try (StepResult fitted = session.runner().fetch(w.value()).fetch(b.value()).run()) {
        System.out.println(
            fitted.get(0).floatValue() + " x + " + fitted.get(1).floatValue()); // close to 2 x + 1
      }
    }
  }

  private static String printed(Runnable action) {
    PrintStream old = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      action.run();
    } finally {
      System.setOut(old);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String withoutSpace(String text) {
    return text.replaceAll("\\s+", "");
  }
}
