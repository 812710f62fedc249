package dev.tributary.graph.wire;

import com.google.protobuf.TextFormat;
import dev.tributary.internal.file.PartFile;
import dev.tributary.internal.wire.MessageFiles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.tensorflow.proto.GraphDef;

/** Graphs in files: {@code graph.pb} holds the message as bytes, {@code graph.pbtxt} as text. */
public final class GraphFiles {
  private GraphFiles() {}

  /** Reads either form, which it detects by the content, not by the name. */
  public static GraphDef read(Path path) {
    GraphDef.Builder graph = GraphDef.newBuilder();
    MessageFiles.read(path, "graph", graph);
    return graph.build();
  }

  public static void writeBinary(Path path, GraphDef graph) {
    PartFile.write(path, graph.toByteArray());
  }

  public static void writeText(Path path, GraphDef graph) {
    PartFile.write(
        path, TextFormat.printer().printToString(graph).getBytes(StandardCharsets.UTF_8));
  }
}
