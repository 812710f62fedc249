package dev.tributary.badinput;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.ops.WhileOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Consumer;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

/**
 * Something that cannot be built. The graph holds the placeholders {@code x} (float [2,3]), {@code
 * v} (float [3]), {@code w} (float [2]), {@code n} (int32 []) and the constant {@code four} ([4]),
 * and must hold nothing else afterwards.
 */
record BadBuild(String title, Consumer<Ops> build, ErrorCode code, List<String> parts) {
  static List<BadBuild> known() {
    return List.of(
        refused(
            "unknown op",
            tf -> tf.scope().operation("Reluu").input(x(tf)).build(),
            NOT_FOUND,
            "Reluu 'Reluu'",
            "Relu"),
        refused(
            "wrong type",
            tf -> tf.matMul(x(tf), n(tf)),
            INVALID,
            "MatMul 'MatMul'",
            "float",
            "int32"),
        refused(
            "type that an op does not take",
            tf -> tf.softmax(n(tf)),
            INVALID,
            "Softmax 'Softmax'",
            "int32"),
        refused(
            "wrong rank",
            tf -> tf.matMul(x(tf), tf.graph().output("v")),
            INVALID,
            "MatMul 'MatMul'",
            "rank 2",
            "[3]"),
        refused(
            "equation without arrow",
            tf -> tf.linalg.einsum("ij,jk", x(tf), x(tf)),
            INVALID,
            "Einsum 'Einsum'",
            "exactly one '->'",
            "ij,jk"),
        refused(
            "label that no input has",
            tf -> tf.linalg.einsum("ij->ik", x(tf)),
            INVALID,
            "Einsum 'Einsum'",
            "'k'"),
        refused(
            "sizes that differ",
            tf -> tf.matMul(x(tf), x(tf)),
            INVALID,
            "MatMul 'MatMul'",
            "[2,3]"),
        refused(
            "shapes that do not broadcast",
            tf -> tf.add(x(tf), tf.graph().output("w")),
            INVALID,
            "AddV2 'Add",
            "[2,3]",
            "[2]"),
        refused(
            "too few inputs",
            tf -> tf.scope().operation("AddV2").input(x(tf)).build(),
            INVALID,
            "AddV2 'AddV2'",
            "2",
            "1"),
        refused(
            "too many inputs",
            tf -> tf.scope().operation("Relu").input(x(tf)).input(x(tf)).build(),
            INVALID,
            "Relu 'Relu'",
            "1",
            "2"),
        refused(
            "unknown attribute",
            tf -> tf.scope().operation("Relu").input(x(tf)).attr("alpha", 1f).build(),
            INVALID,
            "Relu 'Relu'",
            "alpha"),
        refused(
            "missing attribute",
            tf -> tf.scope().operation("Placeholder").build(),
            INVALID,
            "Placeholder 'Placeholder'",
            "dtype"),
        refused(
            "attribute of the wrong kind",
            tf ->
                tf.scope()
                    .operation("MatMul")
                    .input(x(tf))
                    .input(x(tf))
                    .attr("transpose_a", 1)
                    .build(),
            INVALID,
            "MatMul 'MatMul'",
            "transpose_a",
            "bool",
            "int"),
        refused(
            "attribute value that is not allowed",
            tf ->
                tf.scope()
                    .operation("BiasAdd")
                    .input(x(tf))
                    .input(tf.graph().output("v"))
                    .attr("data_format", "HWC")
                    .build(),
            INVALID,
            "BiasAdd 'BiasAdd'",
            "HWC",
            "NCHW"),
        refused(
            "attribute below its minimum",
            tf -> tf.scope().operation("Unpack").input(x(tf)).attr("num", -1).build(),
            INVALID,
            "Unpack 'Unpack'",
            "num",
            "-1"),
        refused(
            "constant of another type than it says",
            tf -> {
              try (Tensor value = Tensor.scalar(1f)) {
                tf.scope()
                    .operation("Const")
                    .attr("value", AttrValue.of(value))
                    .attr("dtype", DataType.INT32)
                    .build();
              }
            },
            INVALID,
            "Const 'Const'",
            "float",
            "int32"),
        refused("bad name", tf -> tf.withName("a b").neg(x(tf)), INVALID, "a b"),
        refused("empty scope name", tf -> tf.withSubScope("-").neg(x(tf)), INVALID, "-"),
        refused(
            "bad device",
            tf -> tf.withDevice("/job:ps/tsk:0").neg(x(tf)),
            INVALID,
            "/job:ps/tsk:0"),
        refused(
            "bad task number",
            tf -> tf.withDevice("/job:ps/task:one").neg(x(tf)),
            INVALID,
            "/job:ps/task:one"),
        refused(
            "input of another graph",
            tf -> tf.neg(Ops.create().placeholder(DataType.FLOAT, Shape.scalar())),
            INVALID,
            "Neg 'Neg'",
            "another graph"),
        refused(
            "reshape that does not fit",
            tf -> tf.reshape(x(tf), tf.graph().output("four")),
            INVALID,
            "Reshape 'Reshape'",
            "[2,3]",
            "[4]"),
        refused(
            "axis that is not there",
            tf ->
                tf.scope()
                    .operation("Pack")
                    .inputList(List.of(x(tf), x(tf)))
                    .attr("axis", 5)
                    .build(),
            INVALID,
            "Pack 'Pack'",
            "5"),
        refused(
            "no values to join",
            tf -> tf.scope().operation("AddN").inputList(List.of()).build(),
            INVALID,
            "AddN 'AddN'",
            "N"),
        refused(
            "loop without variables",
            tf -> tf.flow.whileLoop(List.of(), (c, s) -> n(c), (b, s) -> s),
            INVALID,
            "loop"),
        refused(
            "loop that does not run side by side",
            tf -> WhileOptions.defaults().withParallelIterations(0),
            INVALID,
            "0"),
        refused(
            "GraphDef with an unknown op",
            tf -> GraphDefs.importInto(tf.graph(), graph(node("a", "Nope"))),
            NOT_FOUND,
            "'a'",
            "Nope"),
        refused(
            "GraphDef with a missing input",
            tf -> GraphDefs.importInto(tf.graph(), graph(node("a", "Identity", "b"))),
            INVALID,
            "'a'",
            "'b:0'"),
        refused(
            "GraphDef with two nodes of one name",
            tf -> GraphDefs.importInto(tf.graph(), graph(node("a", "NoOp"), node("a", "NoOp"))),
            INVALID,
            "'a'"),
        refused(
            "GraphDef with a name that is taken",
            tf -> GraphDefs.importInto(tf.graph(), graph(node("x", "NoOp"))),
            INVALID,
            "'x'"),
        refused(
            "GraphDef with a bad name",
            tf -> GraphDefs.importInto(tf.graph(), graph(node("a b", "NoOp"))),
            INVALID,
            "a b"),
        refused(
            "GraphDef with a bad device",
            tf ->
                GraphDefs.importInto(
                    tf.graph(), graph(node("a", "NoOp").toBuilder().setDevice("/jub:x").build())),
            INVALID,
            "'a'",
            "/jub:x"),
        refused(
            "GraphDef with a cycle",
            tf ->
                GraphDefs.importInto(
                    tf.graph(), graph(node("a", "NoOp", "^b"), node("b", "NoOp", "^a"))),
            INVALID,
            "cycle",
            "'a'"));
  }

  @Override
  public String toString() {
    return title;
  }

  private static final ErrorCode INVALID = ErrorCode.INVALID_ARGUMENT;
  private static final ErrorCode NOT_FOUND = ErrorCode.NOT_FOUND;

  private static BadBuild refused(
      String title, Consumer<Ops> build, ErrorCode code, String... parts) {
    return new BadBuild(title, build, code, List.of(parts));
  }

  private static Output x(Ops tf) {
    return tf.graph().output("x");
  }

  private static Output n(Ops tf) {
    return tf.graph().output("n");
  }

  private static GraphDef graph(NodeDef... nodes) {
    return GraphDef.newBuilder().addAllNode(List.of(nodes)).build();
  }

  private static NodeDef node(String name, String op, String... inputs) {
    return NodeDef.newBuilder().setName(name).setOp(op).addAllInput(List.of(inputs)).build();
  }
}
