package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** An element that a graph function returned, taken apart into its components. */
record Flattened<E>(ElementSpec<E> spec, List<Output> components) {

  /** Takes an element apart; a dataset in it is built where the function is. */
  @SuppressWarnings("unchecked") // The spec of a value has the type of the value.
  static <E> Flattened<E> of(Building building, E element) {
    return (Flattened<E>) flatten(building, element);
  }

  private static Flattened<?> flatten(Building building, Object element) {
    if (element instanceof Operand operand) {
      Output output = operand.asOutput();
      return new Flattened<>(ElementSpec.tensor(output.type(), output.shape()), List.of(output));
    } else if (element instanceof SparseTensor sparse) {
      return ofSparse(building, sparse);
    } else if (element instanceof Examples examples) {
      return ofExamples(building, examples);
    } else if (element instanceof Pair<?, ?> pair) {
      return ofPair(flatten(building, pair.first()), flatten(building, pair.second()));
    } else if (element instanceof List<?> parts) {
      return ofList(parts.stream().map(part -> flatten(building, part)).toList());
    } else if (element instanceof Dataset<?> dataset) {
      return ofDataset(dataset.build(building));
    }
    throw TributaryException.invalidArgument(
        "%s is no element: give an Output, a SparseTensor, Examples, a Pair, a List of them, or a"
            + " Dataset",
        element == null ? "null" : element.getClass().getName());
  }

  private static Flattened<SparseTensor> ofSparse(Building building, SparseTensor sparse) {
    Output parts =
        building
            .op("SerializeSparse", sparse.indices(), sparse.values(), sparse.shape())
            .attr("out_type", DataType.VARIANT)
            .buildOutput();
    return new Flattened<>(ElementSpec.sparse(sparse.values().type()), List.of(parts));
  }

  private static Flattened<Examples> ofExamples(Building building, Examples examples) {
    Map<String, ElementSpec<?>> specs = new TreeMap<>();
    List<Output> components = new ArrayList<>();
    for (String name : examples.names()) {
      Flattened<?> part = flatten(building, examples.part(name));
      specs.put(name, part.spec());
      components.addAll(part.components());
    }
    return new Flattened<>(ElementSpec.examples(specs), components);
  }

  private static <A, B> Flattened<Pair<A, B>> ofPair(Flattened<A> first, Flattened<B> second) {
    List<Output> components = new ArrayList<>(first.components());
    components.addAll(second.components());
    return new Flattened<>(ElementSpec.pair(first.spec(), second.spec()), components);
  }

  @SuppressWarnings("unchecked") // A list's parts have the type of its elements, whatever it is.
  private static Flattened<?> ofList(List<? extends Flattened<?>> parts) {
    List<ElementSpec<Object>> specs = new ArrayList<>();
    List<Output> components = new ArrayList<>();
    for (Flattened<?> part : parts) {
      specs.add((ElementSpec<Object>) part.spec());
      components.addAll(part.components());
    }
    return new Flattened<>(ElementSpec.list(specs), components);
  }

  private static <E> Flattened<Dataset<E>> ofDataset(Built<E> built) {
    return new Flattened<>(ElementSpec.dataset(built.spec()), List.of(built.variant()));
  }

  /** No element at all. */
  static Flattened<List<Object>> nothing() {
    return new Flattened<>(ElementSpec.list(List.of()), List.of());
  }

  /** The same with other values in front, which are no part of the element. */
  Flattened<E> behind(List<Output> others) {
    List<Output> all = new ArrayList<>(others);
    all.addAll(components);
    return new Flattened<>(spec, all);
  }

  /** This, if it is a scalar of that type. */
  Flattened<E> requireScalar(String role, DataType type) {
    boolean isScalar =
        components.size() == 1
            && components.get(0).type() == type
            && (!components.get(0).shape().hasRank() || components.get(0).shape().isScalar());
    if (!isScalar) {
      throw TributaryException.invalidArgument(
          "%s must return a %s scalar, got %s", role, type.lowerName(), spec);
    }
    return this;
  }
}
