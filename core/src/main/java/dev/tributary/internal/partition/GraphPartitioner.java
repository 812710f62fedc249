package dev.tributary.internal.partition;

import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.plan.StepGraph;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Cuts placed step graphs into one graph for each location: a task on a master, a device on a
 * worker. Where an edge crosses, the parts meet in the step's rendezvous. Together they compute
 * what the whole would have. Safe for use by many threads.
 *
 * <p>Nodes of control flow first move to their values ({@link Rehoming}); variables read from
 * elsewhere get a read beside them ({@link LateReads}); loops that run on several devices get
 * control loops ({@link ControlLoops}); then edges are cut ({@link Transfers}). Every node that is
 * added is of an op that TensorFlow's workers know, too.
 */
public final class GraphPartitioner {
  private final Cut cut;
  private final AddedNodes added;

  /**
   * @param names where the names of added nodes come from; shared by all steps of a session
   * @param locationOfDevice which part a node belongs to, by the full name of its device
   * @param incarnationOfDevice which life of a device is meant, by its full name
   */
  public GraphPartitioner(
      OpRegistry registry,
      NodeNames names,
      Function<String, String> locationOfDevice,
      ToLongFunction<String> incarnationOfDevice) {
    this.cut = new Cut(locationOfDevice);
    this.added = new AddedNodes(registry, names, incarnationOfDevice);
  }

  /**
   * Partitions a graph of which every node has its device. The graph is used up: its nodes go into
   * the parts. Constants that are added have a tensor that nobody needs to release.
   *
   * @return the parts by location; only locations that have nodes
   */
  public Map<String, StepGraph> partition(StepGraph graph) {
    Rehoming.run(graph);
    LateReads.addTo(graph, cut, added);
    Frames frames = Frames.of(graph);
    ControlLoops loops = ControlLoops.addTo(graph, frames, added);
    return new Transfers(cut, frames, loops, added).cut(graph);
  }
}
