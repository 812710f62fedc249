package dev.tributary.graph.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TextFormat;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.file.FileFailure;
import dev.tributary.file.PartFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.tensorflow.proto.GraphDef;

/** Graphs in files: {@code graph.pb} holds the message as bytes, {@code graph.pbtxt} as text. */
public final class GraphFiles {
  /**
   * As deep as protobuf reads bytes. Its reader of text knows no limit but the end of the stack.
   */
  private static final int DEEPEST = 100;

  private GraphFiles() {}

  /** Reads either form. The content tells which, not the name. */
  public static GraphDef read(Path path) {
    byte[] content;
    try {
      content = Files.readAllBytes(path);
    } catch (IOException e) {
      throw FileFailure.of("read graph file", path, e);
    }
    if (content.length == 0) {
      throw new TributaryException(ErrorCode.DATA_LOSS, "graph file " + path + " is empty");
    }
    return isText(content) ? readText(path, content) : readBinary(path, content);
  }

  public static void writeBinary(Path path, GraphDef graph) {
    PartFile.write(path, graph.toByteArray());
  }

  public static void writeText(Path path, GraphDef graph) {
    PartFile.write(
        path, TextFormat.printer().printToString(graph).getBytes(StandardCharsets.UTF_8));
  }

  /** Every node has tags below the space, and text has none but white space. */
  private static boolean isText(byte[] content) {
    for (byte b : content) {
      if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  private static GraphDef readText(Path path, byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    if (depth(text) > DEEPEST) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "file " + path + " is not the text of a graph: more than " + DEEPEST + " messages deep");
    }
    GraphDef.Builder graph = GraphDef.newBuilder();
    try {
      TextFormat.merge(text, graph);
    } catch (TextFormat.ParseException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "file " + path + " is not the text of a graph: " + e.getMessage(),
          e);
    }
    return graph.build();
  }

  /** How deep brackets are nested, not counting those in strings and comments. */
  private static int depth(String text) {
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '#') {
        i = endOf(text, i, '\n');
      } else if (c == '"' || c == '\'') {
        i = endOf(text, i, c);
      } else if (c == '{' || c == '<') {
        deepest = Math.max(deepest, ++depth);
      } else if (c == '}' || c == '>') {
        depth--;
      }
    }
    return deepest;
  }

  /**
   * Returns where the string or comment that starts at {@code start} ends; neither goes past its
   * line.
   */
  private static int endOf(String text, int start, char end) {
    int i = start + 1;
    while (i < text.length() && text.charAt(i) != end && text.charAt(i) != '\n') {
      i += text.charAt(i) == '\\' && end != '\n' ? 2 : 1;
    }
    return i;
  }

  private static GraphDef readBinary(Path path, byte[] content) {
    try {
      return GraphDef.parseFrom(content);
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "the "
              + content.length
              + " bytes of file "
              + path
              + " are not a graph, or not all of one: "
              + e.getMessage(),
          e);
    }
  }
}
