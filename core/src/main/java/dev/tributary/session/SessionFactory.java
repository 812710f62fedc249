package dev.tributary.session;

import dev.tributary.graph.Graph;
import java.util.List;

/**
 * Opens sessions at targets of one scheme. {@link Session#open} finds implementations with {@link
 * java.util.ServiceLoader}; they are safe for use by many threads.
 */
public interface SessionFactory {
  /** The scheme of targets, without {@code ://}. */
  String scheme();

  Session open(String target, Graph graph, SessionOptions options);

  /** See {@link Session#reset}. */
  void reset(String target, List<String> containers, SessionOptions options);
}
