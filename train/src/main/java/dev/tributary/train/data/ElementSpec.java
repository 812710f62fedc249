package dev.tributary.train.data;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.SparseTensor;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The structure of a dataset's elements, and the types and shapes of the tensors in it. These are
 * the components, in TensorFlow's order: the parts of a tuple one after the other, those of named
 * examples by their names. Immutable.
 *
 * <pre>{@code
 * ElementSpec.pair(
 *     ElementSpec.tensor(DataType.FLOAT, Shape.of(28, 28)),
 *     ElementSpec.tensor(DataType.INT32, Shape.scalar()))
 * }</pre>
 *
 * @param <E> what an element is in a graph: an {@link Output}, {@link Examples}, a {@link Pair}, a
 *     {@code List} of such elements, or a {@link Dataset}
 */
public final class ElementSpec<E> {
  private final List<DataType> types;
  private final List<Shape> shapes;
  private final List<String> names;
  private final Function<List<Output>, E> packing;

  /**
   * @param names what the components are called, empty for those without a name
   * @param packing puts the components together
   */
  private ElementSpec(
      List<DataType> types,
      List<Shape> shapes,
      List<String> names,
      Function<List<Output>, E> packing) {
    this.types = List.copyOf(types);
    this.shapes = List.copyOf(shapes);
    this.names = List.copyOf(names);
    this.packing = packing;
  }

  /** Elements that are one tensor. */
  public static ElementSpec<Output> tensor(DataType type, Shape shape) {
    return new ElementSpec<>(List.of(type), List.of(shape), List.of(""), all -> all.get(0));
  }

  /** Elements of two parts. */
  public static <A, B> ElementSpec<Pair<A, B>> pair(ElementSpec<A> first, ElementSpec<B> second) {
    int split = first.types.size();
    return new ElementSpec<>(
        joined(first.types, second.types),
        joined(first.shapes, second.shapes),
        joined(first.names, second.names),
        all ->
            new Pair<>(
                first.pack(all.subList(0, split)), second.pack(all.subList(split, all.size()))));
  }

  /** Elements with named parts, each a tensor or a {@linkplain #sparse sparse} one. */
  public static ElementSpec<Examples> examples(Map<String, ? extends ElementSpec<?>> features) {
    TreeMap<String, ElementSpec<?>> sorted = new TreeMap<>(features);
    List<String> names = List.copyOf(sorted.keySet());
    List<ElementSpec<?>> parts = List.copyOf(sorted.values());
    parts.forEach(ElementSpec::requireSingle);
    return new ElementSpec<>(
        parts.stream().map(spec -> spec.types.get(0)).toList(),
        parts.stream().map(spec -> spec.shapes.get(0)).toList(),
        names,
        all -> {
          Map<String, Object> named = new TreeMap<>();
          for (int i = 0; i < names.size(); i++) {
            named.put(names.get(i), parts.get(i).pack(all.subList(i, i + 1)));
          }
          return Examples.ofParts(named);
        });
  }

  private void requireSingle() {
    if (types.size() != 1) {
      throw TributaryException.invalidArgument(
          "%s cannot be a named part: it must be one tensor", this);
    }
  }

  /**
   * Elements that are one sparse tensor, of any shape. In a pipeline it is a vector of three
   * variants; behind {@code batch} it is the sparse tensor of all elements of the batch.
   */
  public static ElementSpec<SparseTensor> sparse(DataType type) {
    return new ElementSpec<>(
        List.of(DataType.VARIANT),
        List.of(Shape.of(3)),
        List.of(""),
        all -> {
          List<Output> parts =
              all.get(0)
                  .graph()
                  .scope()
                  .operation("DeserializeSparse")
                  .input(all.get(0))
                  .attr("dtype", type)
                  .build()
                  .outputs();
          return new SparseTensor(parts.get(0), parts.get(1), parts.get(2));
        });
  }

  /** Elements that are tuples of parts of one kind. */
  public static <E> ElementSpec<List<E>> list(List<ElementSpec<E>> parts) {
    List<ElementSpec<E>> kept = List.copyOf(parts);
    return new ElementSpec<>(
        kept.stream().flatMap(part -> part.types.stream()).toList(),
        kept.stream().flatMap(part -> part.shapes.stream()).toList(),
        kept.stream().flatMap(part -> part.names.stream()).toList(),
        all -> {
          List<E> packed = new ArrayList<>();
          int from = 0;
          for (ElementSpec<E> part : kept) {
            packed.add(part.pack(all.subList(from, from + part.types.size())));
            from += part.types.size();
          }
          return Collections.unmodifiableList(packed);
        });
  }

  /** Elements that are datasets, each one variant tensor. */
  static <E> ElementSpec<Dataset<E>> dataset(ElementSpec<E> inner) {
    return new ElementSpec<>(
        List.of(DataType.VARIANT),
        List.of(Shape.scalar()),
        List.of(""),
        all -> Dataset.ofVariants(all, inner));
  }

  /** Windows: elements that are datasets, one variant tensor for each of their components. */
  static <E> ElementSpec<Dataset<E>> window(ElementSpec<E> inner) {
    int size = inner.types.size();
    return new ElementSpec<>(
        Collections.nCopies(size, DataType.VARIANT),
        Collections.nCopies(size, Shape.scalar()),
        Collections.nCopies(size, ""),
        all -> Dataset.ofVariants(all, inner));
  }

  /** The type of each component. */
  public List<DataType> types() {
    return types;
  }

  /** The shape of each component, as far as it is known. */
  public List<Shape> shapes() {
    return shapes;
  }

  /** The same with other shapes, one for each component. */
  public ElementSpec<E> withShapes(List<Shape> others) {
    if (others.size() != types.size()) {
      throw TributaryException.invalidArgument(
          "%d shapes for the %d components of %s: give one for each",
          others.size(), types.size(), this);
    }
    return new ElementSpec<>(types, others, names, packing);
  }

  ElementSpec<E> withEachShape(UnaryOperator<Shape> change) {
    return withShapes(shapes.stream().map(change).toList());
  }

  /** The same, with what both know of the shapes. */
  ElementSpec<E> relaxedTo(ElementSpec<E> other) {
    requireSameTypes(other);
    List<Shape> common = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      common.add(common(shapes.get(i), other.shapes.get(i)));
    }
    return withShapes(common);
  }

  void requireSameTypes(ElementSpec<?> other) {
    if (!types.equals(other.types) || !names.equals(other.names)) {
      throw TributaryException.invalidArgument(
          "the elements differ, %s and %s: both must have the same components", this, other);
    }
  }

  private static Shape common(Shape a, Shape b) {
    if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) {
      return Shape.unknown();
    }
    Shape common = a;
    for (int i = 0; i < a.rank(); i++) {
      common = a.size(i) == b.size(i) ? common : common.withSize(i, Shape.UNKNOWN);
    }
    return common;
  }

  /** The name of each component, empty for those without one. */
  List<String> names() {
    return names;
  }

  E pack(List<Output> components) {
    return packing.apply(components);
  }

  private static <T> List<T> joined(List<T> a, List<T> b) {
    List<T> joined = new ArrayList<>(a);
    joined.addAll(b);
    return joined;
  }

  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      String name = names.get(i).isEmpty() ? "" : names.get(i) + ": ";
      parts.add(name + types.get(i).lowerName() + shapes.get(i));
    }
    return "(" + String.join(", ", parts) + ")";
  }
}
