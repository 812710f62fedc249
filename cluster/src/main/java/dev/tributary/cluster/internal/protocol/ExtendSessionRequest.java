package dev.tributary.cluster.internal.protocol;

import org.tensorflow.proto.GraphDef;

/** Nodes to add to the graph of a session which the client believes to be at a version. */
public record ExtendSessionRequest(
    String sessionHandle, GraphPart graph, long currentGraphVersion) {
  public ExtendSessionRequest(String sessionHandle, GraphDef graph, long currentGraphVersion) {
    this(sessionHandle, new GraphPart.Message(graph), currentGraphVersion);
  }
}
