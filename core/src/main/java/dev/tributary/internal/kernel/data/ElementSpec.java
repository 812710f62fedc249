package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * The types and shapes of a dataset's elements, one for each component.
 *
 * @param shapes what is known of the shapes
 */
record ElementSpec(List<DataType> types, List<Shape> shapes) {
  ElementSpec {
    types = List.copyOf(types);
    shapes = List.copyOf(shapes);
    if (types.size() != shapes.size()) {
      throw TributaryException.invalidArgument(
          "output_types has %d entries and output_shapes %d: give one shape for each type",
          types.size(), shapes.size());
    }
  }

  /** The spec that a node has as attributes {@code output_types} and {@code output_shapes}. */
  static ElementSpec of(KernelNode node) {
    return of(node, "output_types");
  }

  static ElementSpec of(KernelNode node, String typesAttribute) {
    return new ElementSpec(
        node.attributes().types(typesAttribute), node.attributes().shapes("output_shapes"));
  }

  static ElementSpec strings() {
    return new ElementSpec(List.of(DataType.STRING), List.of(Shape.scalar()));
  }

  /** Fails if a dataset of other elements is given to somebody who expects these. */
  void requireCompatible(ElementSpec given) {
    if (given.types.size() != types.size()) {
      throw TributaryException.invalidArgument(
          "Number of components does not match: expected %d types but got %d.",
          types.size(), given.types.size());
    }
    for (int i = 0; i < types.size(); i++) {
      if (types.get(i) != given.types.get(i)) {
        throw TributaryException.invalidArgument(
            "Data type mismatch at component %d: expected %s but got %s.",
            i, types.get(i).lowerName(), given.types.get(i).lowerName());
      }
      if (!shapes.get(i).isCompatibleWith(given.shapes.get(i))) {
        throw incompatible(i, given.shapes.get(i));
      }
    }
  }

  /** Fails if an element is not as promised. */
  void requireElement(Tensor[] components) {
    if (components.length != types.size()) {
      throw TributaryException.invalidArgument(
          "Number of components does not match: expected %d but got %d.",
          types.size(), components.length);
    }
    for (int i = 0; i < components.length; i++) {
      if (components[i].type() != types.get(i)) {
        throw TributaryException.invalidArgument(
            "Data type mismatch at component %d: expected %s but got %s.",
            i, types.get(i).lowerName(), components[i].type().lowerName());
      }
      if (!shapes.get(i).isCompatibleWith(components[i].shape())) {
        throw incompatible(i, components[i].shape());
      }
    }
  }

  private TributaryException incompatible(int component, Shape given) {
    return TributaryException.invalidArgument(
        "Incompatible shapes at component %d: expected %s but got %s.",
        component, shapes.get(component), given);
  }
}
