package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.stream.Stream;
import org.tensorflow.proto.FeatureList;
import org.tensorflow.proto.FeatureLists;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.SequenceExample;

/** Random sequence examples, and calls that parse them. */
final class SequenceDraws {
  private final Draw d;
  private final ExampleDraws features;

  SequenceDraws(Draw d) {
    this.d = d;
    this.features = new ExampleDraws(d);
  }

  /** Feature "fixed" and list "rows" with two values each, others with any number. */
  private byte[] example() {
    Features.Builder context = Features.newBuilder().putFeature("fixed", features.feature(2));
    if (d.flip()) {
      context.putFeature("list", features.feature(d.integer(0, 3)));
      context.putFeature("optional", features.feature(1));
    }
    context.putFeature("ragged", features.feature(d.integer(0, 3)));
    FeatureLists.Builder lists = FeatureLists.newBuilder();
    lists.putFeatureList("rows", rows(d.integer(0, 3), true));
    if (d.flip()) {
      lists.putFeatureList("optional rows", rows(d.integer(0, 3), true));
      lists.putFeatureList("lists", rows(d.integer(0, 3), false));
    }
    lists.putFeatureList("ragged", rows(d.integer(0, 3), false));
    return SequenceExample.newBuilder()
        .setContext(context)
        .setFeatureLists(lists)
        .build()
        .toByteArray();
  }

  private FeatureList rows(int count, boolean isFixed) {
    FeatureList.Builder list = FeatureList.newBuilder();
    for (int i = 0; i < count; i++) {
      list.addFeature(features.feature(isFixed ? 2 : d.integer(0, 3)));
    }
    return list.build();
  }

  private Tensor examples() {
    if (d.size() == Draw.Size.SCALAR) {
      return single();
    }
    int count = d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 5);
    return Tensor.ofObjects(
        STRING, Shape.of(count), Stream.generate(this::example).limit(count).toArray());
  }

  private Tensor single() {
    return Tensor.ofObjects(STRING, Shape.scalar(), (Object) example());
  }

  /** Without examples stock asks for a default of each dense feature. */
  private Tensor fixedDefault() {
    return d.size() == Draw.Size.EMPTY ? value(2) : Tensor.zeros(d.type(), Shape.of(0));
  }

  private Tensor value(int count) {
    return d.tensor(Shape.of(count));
  }

  private static Tensor none() {
    return Tensor.of(new String[0]);
  }

  private OpCall typed(OpCall call) {
    DataType type = d.type();
    return call.attr("Ncontext_sparse", 1)
        .attr("Nfeature_list_sparse", 1)
        .attr("Nfeature_list_dense", 2)
        .attr("context_sparse_types", List.of(type))
        .attr("Tcontext_dense", List.of(type, type))
        .attr("context_dense_shapes", List.of(Shape.of(2), Shape.of(1)))
        .attr("feature_list_sparse_types", List.of(type))
        .attr("feature_list_dense_types", List.of(type, type))
        .attr("feature_list_dense_shapes", List.of(Shape.of(2), Shape.of(2, 1)));
  }

  OpCall parseSequenceExample() {
    return typed(OpCall.of(examples(), none(), fixedDefault(), value(1)))
        .attr("Ncontext_dense", 2)
        .attr("feature_list_dense_missing_assumed_empty", List.of("optional rows"))
        .attr("context_sparse_keys", List.of("list"))
        .attr("context_dense_keys", List.of("fixed", "optional"))
        .attr("feature_list_sparse_keys", List.of("lists"))
        .attr("feature_list_dense_keys", List.of("rows", "optional rows"));
  }

  OpCall parseSequenceExampleV2() {
    // The outer splits of a single example are undefined in stock.
    boolean hasRagged = d.size() != Draw.Size.SCALAR;
    DataType splits = d.oneOf(INT32, INT64);
    OpCall call =
        OpCall.of(
                examples(),
                none(),
                Tensor.of("list"),
                Tensor.of("fixed", "optional"),
                hasRagged ? Tensor.of("ragged") : none(),
                Tensor.of("lists"),
                Tensor.of("rows", "optional rows"),
                hasRagged ? Tensor.of("ragged") : none(),
                Tensor.of(false, true))
            .input(fixedDefault())
            .input(value(1));
    List<DataType> values = hasRagged ? List.of(d.type()) : List.of();
    List<DataType> splitTypes = hasRagged ? List.of(splits) : List.of();
    return typed(call)
        .attr("context_ragged_value_types", values)
        .attr("context_ragged_split_types", splitTypes)
        .attr("feature_list_ragged_value_types", values)
        .attr("feature_list_ragged_split_types", splitTypes);
  }

  OpCall parseSingleSequenceExample() {
    OpCall call =
        OpCall.of(
            single(),
            Tensor.of("optional rows"),
            Tensor.scalar("list"),
            Tensor.scalar("fixed"),
            Tensor.scalar("optional"),
            Tensor.scalar("lists"),
            Tensor.scalar("rows"),
            Tensor.scalar("optional rows"),
            Tensor.zeros(d.type(), Shape.of(0)),
            value(1),
            Tensor.scalar("name"));
    return typed(call).attr("Ncontext_dense", 2);
  }
}
