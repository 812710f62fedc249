package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.ByteString;
import dev.tributary.cluster.internal.protocol.KeyedTensor;
import dev.tributary.cluster.internal.protocol.NamedTensor;
import dev.tributary.cluster.internal.rpc.message.CommonProto.NamedTensorProto;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.rendezvous.RendezvousKey;
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
      all = Wire.concat(all, encode(field, named.name(), named.tensor()));
    }
    return all;
  }

  /** The same for tensors of a step's rendezvous. */
  static ByteString encodeKeyed(int field, List<KeyedTensor> tensors) {
    ByteString all = ByteString.EMPTY;
    for (KeyedTensor keyed : tensors) {
      all = Wire.concat(all, encode(field, keyed.key().toString(), keyed.tensor()));
    }
    return all;
  }

  private static ByteString encode(int field, String name, Tensor tensor) {
    ByteString named = Wire.field(NAME, name);
    ByteString bytes = Wire.field(TENSOR, TensorBytes.encode(tensor));
    return Wire.field(field, Wire.concat(named, bytes));
  }

  /** A repeated field of tensors that refers to their memory. */
  static ByteString encode(int field, List<Tensor> tensors) {
    ByteString all = ByteString.EMPTY;
    for (Tensor tensor : tensors) {
      all = Wire.concat(all, Wire.field(field, TensorBytes.encode(tensor)));
    }
    return all;
  }

  static List<NamedTensor> decodeNamed(List<NamedTensorProto> protos, Allocator allocator) {
    List<Tensor> tensors = decode(protos, NamedTensorProto::getTensor, allocator);
    List<NamedTensor> named = new ArrayList<>(tensors.size());
    for (int i = 0; i < tensors.size(); i++) {
      named.add(new NamedTensor(protos.get(i).getName(), tensors.get(i)));
    }
    return named;
  }

  static List<KeyedTensor> decodeKeyed(List<NamedTensorProto> protos, Allocator allocator) {
    List<Tensor> tensors = decode(protos, NamedTensorProto::getTensor, allocator);
    List<KeyedTensor> keyed = new ArrayList<>(tensors.size());
    for (int i = 0; i < tensors.size(); i++) {
      keyed.add(new KeyedTensor(RendezvousKey.of(protos.get(i).getName()), tensors.get(i)));
    }
    return keyed;
  }

  static List<Tensor> decode(List<ByteString> protos, Allocator allocator) {
    return decode(protos, Function.identity(), allocator);
  }

  static void releaseNamed(List<NamedTensor> tensors) {
    tensors.forEach(named -> named.tensor().close());
  }

  static void releaseKeyed(List<KeyedTensor> tensors) {
    tensors.forEach(keyed -> keyed.tensor().close());
  }

  static void release(List<Tensor> tensors) {
    tensors.forEach(Tensor::close);
  }

  /** All tensors or none: if one is malformed, those before it are closed. */
  private static <P> List<Tensor> decode(
      List<P> protos, Function<P, ByteString> bytes, Allocator allocator) {
    List<Tensor> tensors = new ArrayList<>(protos.size());
    try {
      for (P proto : protos) {
        tensors.add(TensorBytes.decode(bytes.apply(proto), allocator));
      }
    } catch (RuntimeException e) {
      release(tensors);
      throw e;
    }
    return tensors;
  }
}
