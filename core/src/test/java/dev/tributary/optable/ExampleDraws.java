package dev.tributary.optable;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import com.google.protobuf.ByteString;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.Features;

/** Random examples, and calls that parse them. */
final class ExampleDraws {
  private final Draw d;

  ExampleDraws(Draw d) {
    this.d = d;
  }

  /** Feature "fixed" with six values, "long" with a multiple of two, lists with any number. */
  private byte[] example() {
    Features.Builder features = Features.newBuilder();
    features.putFeature("fixed", feature(6));
    if (d.flip()) {
      features.putFeature("optional", feature(1));
    }
    features.putFeature("long", feature(2 * d.integer(0, 3)));
    if (d.flip()) {
      features.putFeature("list", feature(d.integer(0, 3)));
    }
    features.putFeature("ragged", feature(d.integer(0, 3)));
    features.putFeature("unused", Feature.getDefaultInstance());
    return Example.newBuilder().setFeatures(features).build().toByteArray();
  }

  Feature feature(int count) {
    Feature.Builder feature = Feature.newBuilder();
    switch (d.type()) {
      case FLOAT -> feature.getFloatListBuilder();
      case INT64 -> feature.getInt64ListBuilder();
      default -> feature.getBytesListBuilder();
    }
    for (int i = 0; i < count; i++) {
      switch (d.type()) {
        case FLOAT -> feature.getFloatListBuilder().addValue(d.integer(-99, 99) / 8f);
        case INT64 -> feature.getInt64ListBuilder().addValue(d.integer(-99, 99));
        default -> feature.getBytesListBuilder().addValue(ByteString.copyFromUtf8(text()));
      }
    }
    return feature.build();
  }

  private String text() {
    return d.oneOf("", "a", "bcd");
  }

  private Tensor single(byte[] example) {
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) example);
  }

  Tensor examples() {
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 5);
    Object[] examples = Stream.generate(this::example).limit(count).toArray();
    return Tensor.ofObjects(STRING, Shape.of(count), examples);
  }

  private Tensor single() {
    return d.type() == STRING ? Tensor.of("x") : d.tensor(Shape.of(1));
  }

  private Tensor none() {
    return Tensor.zeros(d.type(), Shape.of(0));
  }

  private OpCall withDefaults(OpCall call) {
    defaults().forEach(call::input);
    return call.attr("Tdense", List.of(d.type(), d.type(), d.type()))
        .attr("sparse_types", List.of(d.type(), d.type()))
        .attr("dense_shapes", denseShapes());
  }

  /** Defaults of "fixed", which has none, "optional" and "long". */
  List<Tensor> defaults() {
    return List.of(none(), single(), single().reshape(Shape.scalar()));
  }

  static List<Shape> denseShapes() {
    return List.of(Shape.of(2, 3), Shape.of(1), Shape.of(-1, 2));
  }

  OpCall parseExample() {
    OpCall call = OpCall.of(examples(), Tensor.of(new String[0]));
    for (String key : List.of("list", "missing", "fixed", "optional", "long")) {
      call.input(Tensor.scalar(key));
    }
    return withDefaults(call).attr("Nsparse", 2).attr("Ndense", 3);
  }

  OpCall parseExampleV2() {
    OpCall call =
        OpCall.of(
            d.size() == Draw.Size.SCALAR ? single(example()) : examples(),
            Tensor.of(new String[0]),
            Tensor.of("list", "missing"),
            Tensor.of("fixed", "optional", "long"),
            Tensor.of("ragged", "missing too"));
    List<DataType> splits = List.of(INT64, INT32);
    return withDefaults(call)
        .attr("num_sparse", 2)
        .attr("ragged_value_types", List.of(d.type(), d.type()))
        .attr("ragged_split_types", splits);
  }

  OpCall parseSingleExample() {
    OpCall call = OpCall.of(single(example()));
    return withDefaults(call)
        .attr("num_sparse", 2)
        .attr("sparse_keys", List.of("list", "missing"))
        .attr("dense_keys", List.of("fixed", "optional", "long"));
  }

  static DataType[] types() {
    return new DataType[] {FLOAT, INT64, STRING};
  }
}
