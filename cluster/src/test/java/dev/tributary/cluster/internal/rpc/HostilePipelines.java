package dev.tributary.cluster.internal.rpc;

import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;

import com.google.protobuf.ByteString;
import dev.tributary.testing.FunctionGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NameAttrList;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * Pipelines of datasets that never have an element, or take any memory for the first one, and
 * functions that stand for more than they say.
 */
final class HostilePipelines {
  private static final long HUGE = 1L << 62;
  private static final long WIDE = 1L << 31;

  /** Iterators whose first element takes time or memory without end. */
  static final List<String> ENDLESS =
      List.of("p_skip", "p_map", "p_shuffle", "p_batch", "p_window", "p_prefetch", "p_reduce");

  /** Iterators that cannot begin. */
  static final List<String> BAD = List.of("p_deep", "p_wide", "p_twice", "p_record");

  private static final int LEVELS = 30;
  private static final int DEEP = 1500;

  private HostilePipelines() {}

  /** Nodes of the names above, which give an element. */
  static GraphDef graph() {
    Nodes nodes = new Nodes();
    String endless = nodes.range();
    nodes.next("p_skip", nodes.of("SkipDataset", endless, HUGE));
    nodes.next("p_map", nodes.calling("MapDataset", endless, "p_loop"));
    nodes.next("p_shuffle", nodes.of("ShuffleDataset", endless, WIDE, 1, 2));
    nodes.next("p_batch", nodes.of("BatchDataset", endless, HUGE));
    nodes.next("p_window", nodes.window(endless, WIDE, 1, HUGE));
    nodes.next(
        "p_prefetch", nodes.of("SkipDataset", nodes.of("PrefetchDataset", endless, HUGE), HUGE));
    nodes.reduce("p_reduce", endless);
    String deep = endless;
    for (int i = 0; i < DEEP; i++) {
      deep = nodes.of("TakeDataset", deep, 5);
    }
    nodes.next("p_deep", deep);
    String wide = endless;
    for (int i = 0; i < LEVELS; i++) {
      wide = nodes.zip(wide);
    }
    nodes.next("p_wide", wide);
    nodes.next("p_twice", nodes.calling("FlatMapDataset", endless, "p_twice" + (LEVELS - 1)));
    nodes.next("p_record", nodes.records(WIDE - 1));
    List<String> functions = new ArrayList<>();
    functions.add(
        function(
            "p_loop",
            "x:int64 -> y:int64",
            "y=w:output:0",
            inner("w", "StatelessWhile", "x", "T=[int64]", "cond=@p_go", "body=@p_same")));
    functions.add(
        function("p_go", "x:int64 -> go:bool", "go=g:z:0", inner("g", "Equal", "x, x", "T=int64")));
    functions.add(
        function(
            "p_same",
            "x:int64 -> y:int64",
            "y=i:output:0",
            inner("i", "Identity", "x", "T=int64")));
    functions.add(
        function(
            "p_sum",
            "s:int64, x:int64 -> y:int64",
            "y=a:z:0",
            inner("a", "AddV2", "s, x", "T=int64")));
    for (int i = 0; i < LEVELS; i++) {
      functions.add(usingTwice(i));
    }
    return FunctionGraphs.def(functions.toArray(String[]::new)).toBuilder()
        .mergeFrom(nodes.graph.build())
        .build();
  }

  /** A dataset of datasets, of two stages that call the function of the level below. */
  private static String usingTwice(int level) {
    String called = level == 0 ? "p_same" : "p_twice" + (level - 1);
    String[] attributes = {
      "f=@" + called, "Targuments=[]", "output_types=[int64]", "output_shapes=[()]"
    };
    String op = level == 0 ? "MapDataset" : "FlatMapDataset";
    return function(
        "p_twice" + level,
        "x:int64 -> d:variant",
        "d=second:handle:0",
        inner("all", "TensorDataset", "x", "Toutput_types=[int64]", "output_shapes=[()]"),
        inner("first", op, "all:handle:0", attributes),
        inner("second", op, "first:handle:0", attributes));
  }

  /** Thirty functions, each of which calls the one before twice. */
  static ByteString functionBomb() {
    List<String> functions = new ArrayList<>();
    IntStream.range(0, LEVELS)
        .forEach(
            level -> {
              String op = level == 0 ? "Neg" : "bomb" + (level - 1);
              String[] attributes = level == 0 ? new String[] {"T=float"} : new String[0];
              functions.add(
                  function(
                      "bomb" + level,
                      "x:float -> y:float",
                      "y=b:y:0",
                      inner("a", op, "x", attributes),
                      inner("b", op, "a:y:0", attributes)));
            });
    functions.add(FunctionGraphs.placeholder("x", "float"));
    functions.add(FunctionGraphs.node("called", "bomb" + (LEVELS - 1), "x"));
    return FunctionGraphs.def(functions.toArray(String[]::new)).toByteString();
  }

  /** A function that calls itself. */
  static ByteString recursion() {
    return FunctionGraphs.def(
            function("again", "x:float -> y:float", "y=a:y:0", inner("a", "again", "x")),
            FunctionGraphs.placeholder("x", "float"),
            FunctionGraphs.node("called", "again", "x"))
        .toByteString();
  }

  /** A graph in the making. */
  private static final class Nodes {
    private final GraphDef.Builder graph = GraphDef.newBuilder();

    String range() {
      return add(elements(node("RangeDataset", constant(0), constant(HUGE), constant(1))));
    }

    String of(String op, String input, long... arguments) {
      NodeDef.Builder node = node(op, input);
      for (long argument : arguments) {
        node.addInput(constant(argument));
      }
      return add(elements(node));
    }

    String window(String input, long size, long shift, long stride) {
      NodeDef.Builder no =
          constantOf(
              DataType.DT_BOOL,
              TensorProto.newBuilder().setDtype(DataType.DT_BOOL).addBoolVal(true));
      return add(
          elements(
              node("WindowDataset", input, constant(size), constant(shift), constant(stride))
                  .addInput(add(no))));
    }

    String zip(String input) {
      return add(
          elements(node("ZipDataset", input, input))
              .putAttr("N", AttrValue.newBuilder().setI(2).build()));
    }

    String calling(String op, String input, String function) {
      return add(
          elements(node(op, input)).putAttr("f", called(function)).putAttr("Targuments", types(0)));
    }

    void reduce(String name, String input) {
      graph.addNode(
          elements(node("ReduceDataset", input, constant(0)))
              .setName(name)
              .putAttr("f", called("p_sum"))
              .putAttr("Tstate", types(1))
              .putAttr("Targuments", types(0)));
    }

    /** Records and footers of this length. */
    String records(long length) {
      NodeDef.Builder name =
          constantOf(
              DataType.DT_STRING,
              TensorProto.newBuilder()
                  .setDtype(DataType.DT_STRING)
                  .addStringVal(ByteString.copyFromUtf8("nothing")));
      return add(
          node(
              "FixedLengthRecordDataset",
              add(name),
              constant(0),
              constant(length),
              constant(length),
              constant(HUGE)));
    }

    /** The first element of a dataset, for which its step makes an iterator. */
    void next(String name, String dataset) {
      NodeDef.Builder iterator = elements(node("IteratorV2"));
      boolean isText = dataset.startsWith("FixedLength");
      if (isText) {
        iterator.putAttr(
            "output_types",
            AttrValue.newBuilder()
                .setList(AttrValue.ListValue.newBuilder().addType(DataType.DT_STRING))
                .build());
      }
      AttrValue empty = AttrValue.newBuilder().setS(ByteString.EMPTY).build();
      String handle = add(iterator.putAttr("shared_name", empty).putAttr("container", empty));
      String made = add(node("MakeIterator", dataset, handle));
      graph.addNode(
          node("IteratorGetNext", handle, "^" + made)
              .setName(name)
              .putAttr("output_types", iterator.getAttrOrThrow("output_types"))
              .putAttr("output_shapes", iterator.getAttrOrThrow("output_shapes")));
    }

    private String constant(long value) {
      return add(
          constantOf(
              DataType.DT_INT64,
              TensorProto.newBuilder().setDtype(DataType.DT_INT64).addInt64Val(value)));
    }

    private static NodeDef.Builder constantOf(DataType type, TensorProto.Builder value) {
      return node("Const")
          .putAttr("dtype", AttrValue.newBuilder().setType(type).build())
          .putAttr(
              "value",
              AttrValue.newBuilder()
                  .setTensor(value.setTensorShape(TensorShapeProto.getDefaultInstance()))
                  .build());
    }

    private static AttrValue called(String function) {
      return AttrValue.newBuilder().setFunc(NameAttrList.newBuilder().setName(function)).build();
    }

    private static AttrValue types(int count) {
      AttrValue.ListValue.Builder list = AttrValue.ListValue.newBuilder();
      for (int i = 0; i < count; i++) {
        list.addType(DataType.DT_INT64);
      }
      return AttrValue.newBuilder().setList(list).build();
    }

    private static NodeDef.Builder elements(NodeDef.Builder node) {
      return node.putAttr("output_types", types(1))
          .putAttr(
              "output_shapes",
              AttrValue.newBuilder()
                  .setList(
                      AttrValue.ListValue.newBuilder()
                          .addShape(TensorShapeProto.newBuilder().setUnknownRank(true)))
                  .build());
    }

    private static NodeDef.Builder node(String op, String... inputs) {
      return NodeDef.newBuilder().setOp(op).addAllInput(List.of(inputs));
    }

    private String add(NodeDef.Builder node) {
      String name = node.getOp() + "_p" + graph.getNodeCount();
      graph.addNode(node.setName(name));
      return name;
    }
  }
}
