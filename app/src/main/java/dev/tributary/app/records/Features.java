package dev.tributary.app.records;

import com.google.protobuf.ByteString;
import java.util.List;
import org.tensorflow.proto.BytesList;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.FloatList;
import org.tensorflow.proto.Int64List;

/** Builds examples. */
final class Features {
  private final org.tensorflow.proto.Features.Builder features =
      org.tensorflow.proto.Features.newBuilder();

  Features integer(String name, long value) {
    Int64List list = Int64List.newBuilder().addValue(value).build();
    return put(name, Feature.newBuilder().setInt64List(list));
  }

  Features number(String name, float value) {
    FloatList list = FloatList.newBuilder().addValue(value).build();
    return put(name, Feature.newBuilder().setFloatList(list));
  }

  Features bytes(String name, ByteString value) {
    BytesList list = BytesList.newBuilder().addAllValue(List.of(value)).build();
    return put(name, Feature.newBuilder().setBytesList(list));
  }

  Features text(String name, String value) {
    return bytes(name, ByteString.copyFromUtf8(value));
  }

  private Features put(String name, Feature.Builder feature) {
    features.putFeature(name, feature.build());
    return this;
  }

  Example build() {
    return Example.newBuilder().setFeatures(features).build();
  }
}
