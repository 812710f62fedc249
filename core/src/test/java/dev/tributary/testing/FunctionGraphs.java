package dev.tributary.testing;

import com.google.protobuf.TextFormat;
import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.GraphDef;

/**
 * Graphs with functions, written in a short form of TensorFlow's text.
 *
 * <p>An attribute is {@code name=value}: {@code float} and other types, {@code [float, int32]},
 * {@code @function}, {@code [@f, @g]}, {@code $placeholder}, {@code 'text'}, {@code ()} for the
 * shape of a scalar, numbers, {@code true}.
 */
public final class FunctionGraphs {
  /** The version of graphs from which on a placeholder of shape [] is a scalar. */
  private static final int SCALAR_PLACEHOLDERS = 24;

  /** The condition and the body of loops without end. */
  private static final String ALWAYS_THE_SAME =
      function("always", "x:float -> go:bool", "go=g:z:0", inner("g", "Equal", "x, x", "T=float"))
          + function(
              "same", "x:float -> y:float", "y=i:output:0", inner("i", "Identity", "x", "T=float"));

  private FunctionGraphs() {}

  /** A new graph with what the texts hold. */
  public static Graph graph(String... parts) {
    Graph graph = new Graph(Ops.registry());
    GraphDefs.importInto(graph, def(parts));
    return graph;
  }

  public static GraphDef def(String... parts) {
    GraphDef.Builder graph = GraphDef.newBuilder();
    graph.getVersionsBuilder().setProducer(SCALAR_PLACEHOLDERS);
    try {
      TextFormat.merge(String.join("\n", parts), graph);
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException(String.join("\n", parts), e);
    }
    return graph.build();
  }

  /**
   * @param inputs with commas between them
   */
  public static String node(String name, String op, String inputs, String... attributes) {
    return "node " + body(name, op, inputs, attributes);
  }

  /** A node of a function's body. */
  public static String inner(String name, String op, String inputs, String... attributes) {
    return "node_def " + body(name, op, inputs, attributes);
  }

  public static String placeholder(String name, String type) {
    return node(name, "Placeholder", "", "dtype=" + type);
  }

  /**
   * A call of a function that never returns, of a number. Its target is a placeholder, so that the
   * call is a step inside the step.
   */
  public static String endlessCall(String name, String target, String argument) {
    return String.join(
        "\n",
        ALWAYS_THE_SAME,
        function(
            "endless",
            "x:float -> y:float",
            "y=w:output:0",
            inner("w", "StatelessWhile", "x", "T=[float]", "cond=@always", "body=@same")),
        placeholder(target, "string"),
        node(
            name,
            "RemoteCall",
            target + ", " + argument,
            "f=@endless",
            "Tin=[float]",
            "Tout=[float]"));
  }

  /** A graph of a functional loop without end that begins with a constant. */
  public static Graph endlessWhile(String name, String start) {
    return graph(
        ALWAYS_THE_SAME,
        innerConst(start, 1).replaceFirst("node_def", "node"),
        node(name, "StatelessWhile", start, "T=[float]", "cond=@always", "body=@same"));
  }

  /** A constant of a function's body. */
  public static String innerConst(String name, float value) {
    return "node_def { name: '"
        + name
        + "' op: 'Const' attr { key: 'dtype' value { type: DT_FLOAT } } attr { key: 'value' value {"
        + " tensor { dtype: DT_FLOAT tensor_shape { } float_val: "
        + value
        + " } } } }";
  }

  /** The same with a whole number. */
  public static String innerInt(String name, int value) {
    return "node_def { name: '"
        + name
        + "' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key: 'value' value {"
        + " tensor { dtype: DT_INT32 tensor_shape { } int_val: "
        + value
        + " } } } }";
  }

  /**
   * A function.
   *
   * @param signature such as {@code "x:float, n:int32 -> y:float"}
   * @param rets such as {@code "y=mul:z:0"}, with commas between them
   * @param parts {@link #inner} nodes and other text
   */
  public static String function(String name, String signature, String rets, String... parts) {
    StringBuilder text = new StringBuilder("library { function { signature { name: '" + name + "'");
    String[] sides = signature.split("->", -1);
    split(sides[0]).forEach(arg -> text.append(argument("input_arg", arg)));
    split(sides[1]).forEach(arg -> text.append(argument("output_arg", arg)));
    StringBuilder rest = new StringBuilder();
    for (String part : parts) {
      if (part.startsWith("signature:")) {
        text.append(part.substring("signature:".length()));
      } else {
        rest.append(part);
      }
    }
    text.append(" } ").append(rest);
    split(rets)
        .forEach(
            ret -> {
              String[] pair = ret.split("=", 2);
              text.append(" ret { key: '" + pair[0] + "' value: '" + pair[1] + "' }");
            });
    return text + " } }";
  }

  /** An attribute of a function's signature, to be passed with its parts. */
  public static String signatureAttr(String name, String type) {
    return "signature: attr { name: '" + name + "' type: '" + type + "' }";
  }

  public static String controlRet(String name, String node) {
    return " control_ret { key: '" + name + "' value: '" + node + "' }";
  }

  /** A node that calls a function with floats and gets one. */
  public static String call(String name, String function, String inputs) {
    int count = split(inputs.replaceAll(",?\\s*\\^[^,]*", "")).size();
    String types = String.join(",", java.util.Collections.nCopies(count, "float"));
    return node(
        name, "PartitionedCall", inputs, "f=@" + function, "Tin=[" + types + "]", "Tout=[float]");
  }

  private static String body(String name, String op, String inputs, String... attributes) {
    StringBuilder text = new StringBuilder("{ name: '" + name + "' op: '" + op + "'");
    split(inputs).forEach(input -> text.append(" input: '" + input + "'"));
    for (String attribute : attributes) {
      String[] pair = attribute.split("=", 2);
      if (pair[0].equals("device")) {
        text.append(" device: '" + pair[1] + "'");
      } else {
        text.append(" attr { key: '" + pair[0] + "' value { " + value(pair[1].trim()) + " } }");
      }
    }
    return text + " } ";
  }

  private static String value(String text) {
    if (text.startsWith("[")) {
      StringBuilder list = new StringBuilder("list { ");
      split(text.substring(1, text.length() - 1)).forEach(e -> list.append(value(e)).append(' '));
      return list + "}";
    }
    if (text.startsWith("@")) {
      return "func { name: '" + text.substring(1) + "' }";
    }
    if (text.startsWith("$")) {
      return "placeholder: '" + text.substring(1) + "'";
    }
    if (text.equals("()")) {
      return "shape { }";
    }
    if (text.startsWith("'")) {
      return "s: " + text;
    }
    if (text.equals("true") || text.equals("false")) {
      return "b: " + text;
    }
    return text.matches("-?[0-9]+") ? "i: " + text : "type: DT_" + text.toUpperCase();
  }

  /** {@code x:float}, or {@code x:$T} for a type attribute. */
  private static String argument(String field, String text) {
    String[] pair = text.split(":");
    String type =
        pair[1].startsWith("$")
            ? "type_attr: '" + pair[1].substring(1) + "'"
            : "type: DT_" + pair[1].toUpperCase();
    return " " + field + " { name: '" + pair[0] + "' " + type + " }";
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    for (String part : text.split(",")) {
      if (!part.isBlank()) {
        parts.add(part.trim());
      }
    }
    return parts;
  }
}
