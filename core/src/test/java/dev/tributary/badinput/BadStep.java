package dev.tributary.badinput;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A step that cannot run, or cannot end well, on a good graph.
 *
 * @param step builds what it needs and runs the step
 */
record BadStep(
    String title, BiFunction<Ops, Session, StepResult> step, ErrorCode code, List<String> parts) {
  private static final ErrorCode INVALID = ErrorCode.INVALID_ARGUMENT;

  static List<BadStep> known() {
    return List.of(
        step(
            "placeholder that is not fed",
            (tf, s) -> s.runner().fetch(tf.neg(x(tf))).run(),
            INVALID,
            "Placeholder 'x'",
            "must feed",
            "float"),
        step(
            "feed of another type",
            (tf, s) -> fed(s, x(tf), Tensor.of(1, 2)),
            INVALID,
            "x:0",
            "float",
            "int32"),
        step(
            "feed of another shape",
            (tf, s) -> fed(s, x(tf), Tensor.of(1f, 2f, 3f)),
            INVALID,
            "x:0",
            "[2]",
            "[3]"),
        step(
            "feed of a closed tensor",
            (tf, s) -> {
              Tensor closed = Tensor.of(1f, 2f);
              closed.close();
              return s.runner().feed(x(tf), closed).fetch(x(tf)).run();
            },
            ErrorCode.FAILED_PRECONDITION,
            "x:0",
            "closed"),
        step(
            "feed that is not there",
            (tf, s) -> fed(s.runner(), "y:0"),
            ErrorCode.NOT_FOUND,
            "'y'"),
        step(
            "feed of an output that is not there",
            (tf, s) -> fed(s.runner(), "x:1"),
            ErrorCode.OUT_OF_RANGE,
            "x",
            "1"),
        step(
            "fetch that is not there",
            (tf, s) -> s.runner().fetch("y").run(),
            ErrorCode.NOT_FOUND,
            "'y'"),
        step("fetch that is no name", (tf, s) -> s.runner().fetch("x:y").run(), INVALID, "x:y"),
        step(
            "target that is not there",
            (tf, s) -> s.runner().target("y").run(),
            ErrorCode.NOT_FOUND,
            "'y'"),
        step("nothing to do", (tf, s) -> s.runner().run(), INVALID, "fetch", "target"),
        step(
            "fetch of another graph",
            (tf, s) -> s.runner().fetch(Ops.create().random.uniform(x(tf), DataType.FLOAT)).run(),
            INVALID,
            "another graph"),
        step(
            "device that is not here",
            (tf, s) ->
                s.runner()
                    .fetch(tf.withDevice("/job:ps").random.shuffle(tf.constant(1f, 2f)))
                    .run(),
            INVALID,
            "RandomShuffle 'RandomShuffle'",
            "/job:ps",
            "/job:localhost"),
        step(
            "fetch inside a loop",
            (tf, s) -> {
              Output[] inside = new Output[1];
              tf.flow.whileLoop(
                  List.of(tf.constant(0)),
                  (c, v) -> c.less(v.get(0), c.constant(3)),
                  (b, v) -> {
                    inside[0] = b.add(v.get(0), b.constant(1));
                    return List.of(inside[0]);
                  });
              return s.runner().fetch(inside[0]).run();
            },
            INVALID,
            "fetch 'while/",
            "loop 'while"),
        step(
            "fetch on the branch not taken",
            (tf, s) ->
                s.runner().fetch(tf.flow.switchOn(tf.constant(1f), tf.constant(true)).get(0)).run(),
            INVALID,
            "Switch:0",
            "not taken"),
        step(
            "variable without a value",
            (tf, s) -> s.runner().fetch(tf.variable("v", tf.constant(1f)).value()).run(),
            ErrorCode.FAILED_PRECONDITION,
            "ReadVariableOp 'v/",
            "v"),
        step(
            "value of another shape for a variable",
            (tf, s) -> {
              Variable v = tf.variable("v", tf.constant(1f, 2f));
              s.run(v.initializer());
              Output any = tf.placeholder(DataType.FLOAT, Shape.unknown());
              try (Tensor three = Tensor.of(1f, 2f, 3f)) {
                return s.runner().feed(any, three).target(v.assignAdd(any)).run();
              }
            },
            INVALID,
            "AssignAddVariableOp",
            "[2]",
            "[3]"),
        step(
            "loop without an end",
            (tf, s) ->
                s.runner()
                    .fetch(
                        tf.flow
                            .whileLoop(
                                List.of(tf.constant(0)),
                                (c, v) -> c.greaterEqual(v.get(0), c.constant(0)),
                                (b, v) -> List.of(b.identity(v.get(0))))
                            .get(0))
                    .options(RunOptions.defaults().withTimeout(Duration.ofMillis(50)))
                    .run(),
            ErrorCode.DEADLINE_EXCEEDED,
            "50 ms"),
        step(
            "assertion before a fetch",
            (tf, s) -> {
              var check = tf.strings.assertThat(tf.constant(false), tf.constant(7));
              return s.runner().fetch(tf.withControlDependencies(check).constant(1f)).run();
            },
            INVALID,
            "Assert 'Assert'",
            "assertion failed: [7]"));
  }

  @Override
  public String toString() {
    return title;
  }

  private static BadStep step(
      String title, BiFunction<Ops, Session, StepResult> step, ErrorCode code, String... parts) {
    return new BadStep(title, step, code, List.of(parts));
  }

  private static Output x(Ops tf) {
    return tf.graph().output("x");
  }

  private static StepResult fed(Session session, Output feed, Tensor value) {
    try (Tensor owned = value) {
      return session.runner().feed(feed, owned).fetch(feed).run();
    }
  }

  private static StepResult fed(StepRunner runner, String feed) {
    try (Tensor value = Tensor.of(1f, 2f)) {
      return runner.feed(feed, value).run();
    }
  }
}
