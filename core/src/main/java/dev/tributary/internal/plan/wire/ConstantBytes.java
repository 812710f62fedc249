package dev.tributary.internal.plan.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.internal.wire.TypeProtos;
import dev.tributary.tensor.DataType;
import java.util.Collection;
import java.util.List;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * The memory that the constants of a graph will take. It can be much more than the message: a
 * tensor of equal elements names one of them.
 */
public final class ConstantBytes {
  /** More than any memory, and so little that two of them can be added. */
  private static final long MOST = Long.MAX_VALUE / 2;

  private ConstantBytes() {}

  /** Counts the tensors in attributes; one without a valid size counts nothing. */
  public static long of(GraphDef graph) {
    return sum(ofNodes(graph), ofLibrary(graph));
  }

  /** The same without the functions. */
  public static long ofNodes(GraphDef graph) {
    return of(graph.getNodeList());
  }

  /** The same of the functions alone. */
  public static long ofLibrary(GraphDef graph) {
    long bytes = 0;
    for (FunctionDef function : graph.getLibrary().getFunctionList()) {
      bytes = sum(bytes, of(function.getNodeDefList()));
    }
    return bytes;
  }

  /** The same of operations that are in a graph. */
  public static long of(Collection<Operation> operations) {
    long bytes = 0;
    for (Operation operation : operations) {
      for (dev.tributary.op.AttrValue value : operation.attributes().asMap().values()) {
        bytes = sum(bytes, of(value));
      }
    }
    return bytes;
  }

  private static long of(dev.tributary.op.AttrValue value) {
    if (value instanceof dev.tributary.op.AttrValue.TensorValue tensor) {
      return SharedTensors.countedBytes(tensor.value());
    }
    long bytes = 0;
    if (value instanceof dev.tributary.op.AttrValue.ListValue list) {
      for (dev.tributary.op.AttrValue element : list.values()) {
        bytes = sum(bytes, of(element));
      }
    }
    return bytes;
  }

  private static long of(List<NodeDef> nodes) {
    long bytes = 0;
    for (NodeDef node : nodes) {
      for (AttrValue value : node.getAttrMap().values()) {
        if (value.hasTensor()) {
          bytes = sum(bytes, of(value.getTensor()));
        } else if (value.hasList()) {
          for (TensorProto tensor : value.getList().getTensorList()) {
            bytes = sum(bytes, of(tensor));
          }
        }
      }
    }
    return bytes;
  }

  private static long of(TensorProto tensor) {
    int size = elementSize(tensor.getDtypeValue());
    if (size == 0) {
      return tensor.getSerializedSize();
    }
    long bytes = size;
    for (TensorShapeProto.Dim dim : tensor.getTensorShape().getDimList()) {
      if (dim.getSize() < 0) {
        return 0;
      }
      boolean fits = dim.getSize() <= MOST / Math.max(1, bytes);
      bytes = fits ? bytes * dim.getSize() : MOST;
    }
    return bytes;
  }

  /** 0 for strings and the like, and for types that the import is about to refuse. */
  private static int elementSize(int type) {
    try {
      DataType known = TypeProtos.toType(type);
      return known.isObject() ? 0 : known.size();
    } catch (TributaryException e) {
      return 0;
    }
  }

  /** The sum, or the most that is told. */
  private static long sum(long left, long right) {
    return Math.min(MOST, left + right);
  }
}
