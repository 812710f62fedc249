package dev.tributary.ops;

import static dev.tributary.ops.HandleDeclarations.versioned;

import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpFlag;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelNode;
import dev.tributary.kernel.lookup.LookupKernels;
import dev.tributary.kernel.resource.HandleForm;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The ops of lookup tables, with reference handles and with resource handles. */
final class LookupDeclarations {
  private static final String HANDLE = "table_handle";

  private LookupDeclarations() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    for (HandleForm form : HandleForm.values()) {
      all.add(
          maker("HashTable", form, c -> Shape.scalar())
              .kernel(node -> LookupKernels.hashTable(node, form))
              .notDifferentiable());
      all.add(
          maker("MutableHashTable", form, c -> Shape.scalar())
              .flag(OpFlag.RESOURCE_MAKER)
              .kernel(node -> LookupKernels.mutableHashTable(node, form))
              .notDifferentiable());
      all.add(
          maker("MutableHashTableOfTensors", form, c -> c.attributes().shape("value_shape"))
              .attr("value_shape: shape = { }")
              .flag(OpFlag.RESOURCE_MAKER)
              .kernel(node -> LookupKernels.mutableHashTableOfTensors(node, form))
              .notDifferentiable());
      all.add(
          user("LookupTableFind", form)
              .input("keys: Tin")
              .input("default_value: Tout")
              .output("values: Tout")
              .attr("Tin: type")
              .attr("Tout: type")
              .shape(c -> c.output(0, found(c)))
              .kernel(node -> LookupKernels.find(node, form))
              .notDifferentiable());
      all.add(change("LookupTableInsert", form, LookupKernels::insert));
      all.add(change("LookupTableImport", form, LookupKernels::replaceAll));
      all.add(
          user("LookupTableExport", form)
              .output("keys: Tkeys")
              .output("values: Tvalues")
              .attr("Tkeys: type")
              .attr("Tvalues: type")
              .shape(
                  c -> {
                    c.output(0, Shape.ofRank(1));
                    c.output(
                        1, valueShape(c).map(Shape.ofRank(1)::concatenate).orElse(Shape.unknown()));
                  })
              .kernel(node -> LookupKernels.export(node, form))
              .notDifferentiable());
      all.add(
          user("LookupTableSize", form)
              .output("size: int64")
              .shape(ShapeRules::scalar)
              .kernel(node -> LookupKernels.size(node, form))
              .notDifferentiable());
      all.add(
          user("InitializeTable", form)
              .input("keys: Tkey")
              .input("values: Tval")
              .attr("Tkey: type")
              .attr("Tval: type")
              .shape(c -> c.merged(1, 2))
              .kernel(node -> LookupKernels.initialize(node, form))
              .notDifferentiable());
      all.add(
          user("InitializeTableFromTextFile", form)
              .input("filename: string")
              .attr("key_index: int >= -2")
              .attr("value_index: int >= -2")
              .attr("vocab_size: int >= -1 = -1")
              .attr("delimiter: string = '\t'")
              .attr("offset: int = 0")
              .shape(c -> c.withRank(1, 0))
              .kernel(node -> LookupKernels.initializeFromTextFile(node, form))
              .notDifferentiable());
    }
    return all;
  }

  private static Declaration maker(
      String name, HandleForm form, Function<InferenceContext, Shape> valueShape) {
    Declaration declaration = HandleDeclarations.maker(versioned(name, form), form, HANDLE);
    if (form == HandleForm.RESOURCE) {
      declaration.shape(
          c -> {
            c.output(0, Shape.scalar());
            c.outputHandle(0, valueShape.apply(c));
          });
    }
    return declaration
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .attr("use_node_name_sharing: bool = false")
        .attr("key_dtype: type")
        .attr("value_dtype: type");
  }

  /** The shape of a table's values, which only a resource handle tells. */
  private static Optional<Shape> valueShape(InferenceContext context) {
    return context.inputHandles(0).stream().findFirst();
  }

  /** A single default tells that values are single elements; a vector may be one for each key. */
  private static Shape found(InferenceContext context) {
    Optional<Shape> single =
        Optional.of(context.input(2)).filter(shape -> shape.hasRank() && shape.isScalar());
    return valueShape(context)
        .or(() -> single)
        .map(context.input(1)::concatenate)
        .orElse(Shape.unknown());
  }

  private static OpDeclaration change(
      String name, HandleForm form, BiFunction<KernelNode, HandleForm, Kernel> kernel) {
    return user(name, form)
        .input("keys: Tin")
        .input("values: Tout")
        .attr("Tin: type")
        .attr("Tout: type")
        .shape(ShapeRules::unknown)
        .kernel(node -> kernel.apply(node, form))
        .notDifferentiable();
  }

  private static Declaration user(String name, HandleForm form) {
    return HandleDeclarations.user(versioned(name, form), form, HANDLE);
  }
}
