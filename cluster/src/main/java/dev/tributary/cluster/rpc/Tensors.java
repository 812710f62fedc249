package dev.tributary.cluster.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.protocol.NamedTensor;
import dev.tributary.cluster.rpc.message.CommonProto.NamedTensorProto;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Lists of tensors in messages. */
final class Tensors {
  private static final int NAME = 1;
  private static final int TENSOR = 2;

  private Tensors() {}

  /** A repeated field of named tensors that refers to their memory. */
  static ByteString encodeNamed(int field, List<NamedTensor> tensors) {
    ByteString all = ByteString.EMPTY;
    for (NamedTensor named : tensors) {
      ByteString name = Wire.field(NAME, named.name());
      ByteString tensor = Wire.field(TENSOR, TensorBytes.encode(named.tensor()));
      all = Wire.concat(all, Wire.field(field, Wire.concat(name, tensor)));
    }
    return all;
  }

  /** A repeated field of tensors that refers to their memory. */
  static ByteString encode(int field, List<Tensor> tensors) {
    ByteString all = ByteString.EMPTY;
    for (Tensor tensor : tensors) {
      all = Wire.concat(all, Wire.field(field, TensorBytes.encode(tensor)));
    }
    return all;
  }

  static List<NamedTensor> decodeNamed(List<NamedTensorProto> protos) {
    List<Tensor> tensors = decode(protos, NamedTensorProto::getTensor);
    List<NamedTensor> named = new ArrayList<>(tensors.size());
    for (int i = 0; i < tensors.size(); i++) {
      named.add(new NamedTensor(protos.get(i).getName(), tensors.get(i)));
    }
    return named;
  }

  static List<Tensor> decode(List<ByteString> protos) {
    return decode(protos, Function.identity());
  }

  static void releaseNamed(List<NamedTensor> tensors) {
    tensors.forEach(named -> named.tensor().close());
  }

  static void release(List<Tensor> tensors) {
    tensors.forEach(Tensor::close);
  }

  /** All tensors or none: if one is malformed, those before it are closed. */
  private static <P> List<Tensor> decode(List<P> protos, Function<P, ByteString> bytes) {
    List<Tensor> tensors = new ArrayList<>(protos.size());
    try {
      for (P proto : protos) {
        tensors.add(TensorBytes.decode(bytes.apply(proto)));
      }
    } catch (RuntimeException e) {
      release(tensors);
      throw e;
    }
    return tensors;
  }
}
