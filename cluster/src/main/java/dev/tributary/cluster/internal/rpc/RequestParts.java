package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;
import dev.tributary.cluster.spec.Limits;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.io.IOException;
import java.util.Map;
import org.tensorflow.proto.CallableOptions;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.ServerDef;

/**
 * Counts what a request consists of before any object is made from it. An empty node takes two
 * bytes on the wire and a hundred on the heap, so that a request of 32 MB could fill the heap of a
 * task and stop it for longer than its peers take it for alive. Counted are nodes, and everything
 * else that becomes an object: messages, texts, byte strings and unknown fields. Immutable.
 */
final class RequestParts {
  /** Requests that cannot hold many parts, such as those of steps, are not looked at. */
  private static final int SMALL_BYTES = 1 << 16;

  /** The most parts that nodes of a graph may have on average: names, inputs, attributes. */
  private static final int PARTS_OF_NODE = 20;

  /** The greatest depth of nested messages. Protobuf refuses deeper ones. */
  private static final int DEEPEST = 100;

  /** Our declarations call a framework's message bytes, to read it when it is needed. */
  private static final Map<String, Descriptor> EMBEDDED =
      Map.of(
          "tensorflow.CreateSessionRequest.graph_def", GraphDef.getDescriptor(),
          "tensorflow.CreateSessionRequest.config", ConfigProto.getDescriptor(),
          "tensorflow.ExtendSessionRequest.graph_def", GraphDef.getDescriptor(),
          "tensorflow.MakeCallableRequest.options", CallableOptions.getDescriptor(),
          "tensorflow.RegisterGraphRequest.graph_def", GraphDef.getDescriptor(),
          "tensorflow.RegisterGraphRequest.config_proto", ConfigProto.getDescriptor(),
          "tensorflow.CreateWorkerSessionRequest.server_def", ServerDef.getDescriptor());

  private final Descriptor type;
  private final Limits limits;

  RequestParts(Descriptor type, Limits limits) {
    this.type = type;
    this.limits = limits;
  }

  /** Refuses a request with more parts than the limits allow, as soon as they are counted. */
  void requireFew(ByteString request) {
    if (request.size() < SMALL_BYTES) {
      return;
    }
    try {
      new Count().add(request.newCodedInput(), type, false, 0);
    } catch (IOException e) {
      // Malformed, as whoever reads it now will say.
    }
  }

  private final class Count {
    private long nodes;
    private long partsOfGraphs;
    private long others;

    void add(CodedInputStream in, Descriptor message, boolean isGraph, int depth)
        throws IOException {
      while (true) {
        int tag = in.readTag();
        if (tag == 0) {
          return;
        }
        FieldDescriptor field = message.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
        if (WireFormat.getTagWireType(tag) != WireFormat.WIRETYPE_LENGTH_DELIMITED) {
          pass(in, tag, field, isGraph);
          continue;
        }
        Descriptor inner = field == null ? null : messageOf(field);
        count(inner, isGraph);
        int size = in.readUInt32();
        if (inner == null || depth == DEEPEST) {
          in.skipRawBytes(size);
        } else {
          int outer = in.pushLimit(size);
          add(in, inner, isGraph || inner == GraphDef.getDescriptor(), depth + 1);
          in.popLimit(outer);
        }
      }
    }

    /**
     * Passes over a number, or over the border of a group, whose fields are looked at next. Known
     * numbers are no objects, but protobuf keeps an object for each field that it does not know.
     */
    private void pass(CodedInputStream in, int tag, FieldDescriptor field, boolean isGraph)
        throws IOException {
      int wireType = WireFormat.getTagWireType(tag);
      if (field == null && wireType != WireFormat.WIRETYPE_END_GROUP) {
        count(null, isGraph);
      }
      if (wireType != WireFormat.WIRETYPE_START_GROUP
          && wireType != WireFormat.WIRETYPE_END_GROUP) {
        in.skipField(tag);
      }
    }

    private void count(Descriptor part, boolean isGraph) {
      if (part == NodeDef.getDescriptor()) {
        nodes++;
      } else if (isGraph) {
        partsOfGraphs++;
      } else {
        others++;
      }
      long most = limits.graphNodes();
      if (nodes > most) {
        throw tooMany("nodes", most);
      }
      if (others > most) {
        throw tooMany("parts outside of graphs", most);
      }
      if (partsOfGraphs > most * PARTS_OF_NODE) {
        throw tooMany("names, inputs and attributes of nodes", most * PARTS_OF_NODE);
      }
    }

    private TributaryException tooMany(String what, long most) {
      return new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED,
          String.format(
              "%s has more than %d %s, the most that this task reads for graphs of at most %d nodes"
                  + " (Limits graphNodes; --max-graph-nodes)",
              type.getName(), most, what, limits.graphNodes()));
    }
  }

  private static Descriptor messageOf(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        ? field.getMessageType()
        : EMBEDDED.get(field.getFullName());
  }
}
