package dev.tributary.cluster.internal.protocol;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.ImportOptions;
import dev.tributary.internal.plan.wire.ConstantBytes;
import dev.tributary.internal.wire.Defaults;
import dev.tributary.internal.wire.Versions;
import java.util.List;
import java.util.function.Consumer;
import org.tensorflow.proto.GraphDef;

/** Nodes that a client adds to the graph of its session: a message, or operations as they are. */
public sealed interface GraphPart {
  /** The nodes and functions of a message. */
  record Message(GraphDef def) implements GraphPart {
    @Override
    public GraphDef toProto() {
      return def;
    }

    @Override
    public int nodeCount() {
      return def.getNodeCount();
    }

    @Override
    public long nodeBytes() {
      return def.getSerializedSize() - libraryBytes();
    }

    @Override
    public long libraryBytes() {
      return def.getLibrary().getSerializedSize();
    }

    @Override
    public long constantBytes() {
      return ConstantBytes.ofNodes(def);
    }

    @Override
    public long libraryConstantBytes() {
      return ConstantBytes.ofLibrary(def);
    }

    @Override
    public int producer() {
      return def.getVersions().getProducer();
    }

    @Override
    public void addTo(Graph graph, Consumer<List<Operation>> check) {
      GraphDefs.importInto(graph, def, ImportOptions.defaults().withExisting().withCheck(check));
    }
  }

  /**
   * Operations of a graph in this process, which a master with the same ops copies. The way through
   * a message takes a third of the first step of a large graph.
   *
   * @param operations in the order of creation and without gaps; they call no functions
   */
  record Operations(List<Operation> operations) implements GraphPart {
    @Override
    public GraphDef toProto() {
      return GraphDefs.toProto(operations, Defaults.STRIP_NEW);
    }

    @Override
    public int nodeCount() {
      return operations.size();
    }

    /** A little less than their message would take. */
    @Override
    public long nodeBytes() {
      long bytes = constantBytes();
      for (Operation operation : operations) {
        bytes += operation.name().length() + operation.type().length();
        for (int i = 0; i < operation.inputs().size(); i++) {
          bytes += operation.input(i).operation().name().length();
        }
      }
      return bytes;
    }

    @Override
    public long libraryBytes() {
      return 0;
    }

    @Override
    public long constantBytes() {
      return ConstantBytes.of(operations);
    }

    @Override
    public long libraryConstantBytes() {
      return 0;
    }

    @Override
    public int producer() {
      return Versions.PRODUCER;
    }

    @Override
    public void addTo(Graph graph, Consumer<List<Operation>> check) {
      if (operations.stream().allMatch(o -> o.graph().registry() == graph.registry())) {
        graph.addCopies(operations, check);
      } else {
        new Message(toProto()).addTo(graph, check);
      }
    }
  }

  /** The message with these nodes. */
  GraphDef toProto();

  int nodeCount();

  /** The size of the nodes as a message. */
  long nodeBytes();

  /** The size of the functions as a message. */
  long libraryBytes();

  /** The memory that the constants of the nodes take. */
  long constantBytes();

  /** The memory that the constants of the functions take. */
  long libraryConstantBytes();

  /** The graph version of the program that made them. */
  int producer();

  /**
   * Adds them to the graph that has the parts before this one: all or none.
   *
   * @param check sees the new operations first and refuses them by an exception
   */
  void addTo(Graph graph, Consumer<List<Operation>> check);
}
