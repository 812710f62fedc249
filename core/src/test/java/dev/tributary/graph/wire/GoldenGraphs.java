package dev.tributary.graph.wire;

import com.google.protobuf.TextFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.tensorflow.proto.GraphDef;

/** Graphs as TensorFlow 1.x writes them. */
final class GoldenGraphs {
  private GoldenGraphs() {}

  /**
   * A dense layer between a parameter server and a worker: reference variables, colocation, noted
   * shapes.
   */
  static GraphDef dense() {
    return read("dense.pbtxt");
  }

  /** {@code i = 0; while (i < 10) i = i + 1}. */
  static GraphDef loop() {
    return read("while.pbtxt");
  }

  /** {@code p ? x + 1 : relu(x)}. */
  static GraphDef cond() {
    return read("cond.pbtxt");
  }

  static GraphDef parse(String text) {
    GraphDef.Builder graph = GraphDef.newBuilder();
    try {
      TextFormat.merge(text, graph);
    } catch (TextFormat.ParseException e) {
      throw new IllegalArgumentException(e);
    }
    return graph.build();
  }

  private static GraphDef read(String file) {
    try (InputStream in = GoldenGraphs.class.getResourceAsStream(file)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
