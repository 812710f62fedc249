package dev.tributary.cluster.internal.protocol;

import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;

/** A client's graph and settings, and the target it dialled. */
public record CreateSessionRequest(GraphPart graph, ConfigProto config, String target) {
  public CreateSessionRequest(GraphDef graph, ConfigProto config, String target) {
    this(new GraphPart.Message(graph), config, target);
  }
}
