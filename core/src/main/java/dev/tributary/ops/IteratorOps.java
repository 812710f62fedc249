package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.data.IteratorKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** Iterators over datasets, which steps get elements from. */
final class IteratorOps {
  private IteratorOps() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>(iterators());
    all.addAll(anonymous());
    return all;
  }

  /** Iterators that belong to whoever has their handle. */
  private static List<OpDeclaration> anonymous() {
    return List.of(
        DatasetOps.elements(op("AnonymousIterator").output("handle: resource"))
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::anonymous)
            .notDifferentiable(),
        DatasetOps.elements(
                op("AnonymousIteratorV2").output("handle: resource").output("deleter: variant"))
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::anonymous)
            .notDifferentiable(),
        DatasetOps.elements(op("AnonymousIteratorV3").output("handle: resource"))
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::anonymous)
            .notDifferentiable(),
        delete("DeleteIterator", IteratorKernels::delete),
        op("IteratorGetDevice")
            .input("resource: resource")
            .output("device: string")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::device)
            .notDifferentiable(),
        placeholder(op("DummyMemoryCache").output("handle: resource")),
        placeholder(
            op("AnonymousMemoryCache").output("handle: resource").output("deleter: variant")),
        delete("DeleteMemoryCache", IteratorKernels::deletePlaceholder),
        placeholder(op("DummySeedGenerator").output("handle: resource")),
        placeholder(
            op("AnonymousSeedGenerator")
                .input("seed: int64")
                .input("seed2: int64")
                .input("reshuffle: bool")
                .output("handle: resource")
                .output("deleter: variant")),
        delete("DeleteSeedGenerator", IteratorKernels::deletePlaceholder));
  }

  private static OpDeclaration placeholder(Declaration declaration) {
    return declaration
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(IteratorKernels::placeholder)
        .notDifferentiable();
  }

  private static OpDeclaration delete(String name, KernelFactory kernel) {
    return op(name)
        .input("handle: resource")
        .input("deleter: variant")
        .stateful()
        .shape(ShapeRules::unknown)
        .kernel(kernel)
        .notDifferentiable();
  }

  private static List<OpDeclaration> iterators() {
    return List.of(
        iterator("Iterator"),
        iterator("IteratorV2"),
        op("IteratorToStringHandle")
            .input("resource_handle: resource")
            .output("string_handle: string")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::toStringHandle)
            .notDifferentiable(),
        fromStringHandle("IteratorFromStringHandle"),
        fromStringHandle("IteratorFromStringHandleV2"),
        op("MakeIterator")
            .input("dataset: variant")
            .input("iterator: resource")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(IteratorKernels::makeIterator)
            .notDifferentiable(),
        op("SerializeIterator")
            .input("resource_handle: resource")
            .output("serialized: variant")
            .attr("external_state_policy: int = 0")
            .stateful()
            .shape(c -> c.output(0, Shape.ofRank(1)))
            .kernel(IteratorKernels::serialize)
            .notDifferentiable(),
        op("DeserializeIterator")
            .input("resource_handle: resource")
            .input("serialized: variant")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(IteratorKernels::deserialize)
            .notDifferentiable(),
        op("IteratorGetModelProto")
            .input("iterator: resource")
            .output("model_proto: string")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::model)
            .notDifferentiable(),
        DatasetOps.elements(
                op("OneShotIterator").output("handle: resource").attr("dataset_factory: func"))
            .attr("container: string = ''")
            .attr("shared_name: string = ''")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(IteratorKernels::oneShot)
            .notDifferentiable(),
        next("IteratorGetNext"),
        next("IteratorGetNextSync"),
        DatasetOps.elements(
                op("IteratorGetNextAsOptional")
                    .input("iterator: resource")
                    .output("optional: variant"))
            .stateful()
            .shape(ShapeRules::scalar)
            .flag(OpFlag.EXPENSIVE)
            .kernel(IteratorKernels::nextAsOptional)
            .notDifferentiable());
  }

  private static OpDeclaration iterator(String name) {
    return DatasetOps.elements(
            op(name)
                .output("handle: resource")
                .attr("shared_name: string")
                .attr("container: string"))
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(IteratorKernels::iterator)
        .notDifferentiable();
  }

  private static OpDeclaration fromStringHandle(String name) {
    return op(name)
        .input("string_handle: string")
        .output("resource_handle: resource")
        .attr("output_types: list(type) >= 0 = []")
        .attr("output_shapes: list(shape) >= 0 = []")
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(IteratorKernels::fromStringHandle)
        .notDifferentiable();
  }

  private static OpDeclaration next(String name) {
    return DatasetOps.elements(
            op(name).input("iterator: resource").output("components: output_types"))
        .stateful()
        .shape(IteratorOps::componentShapes)
        .flag(OpFlag.EXPENSIVE)
        .kernel(IteratorKernels::next)
        .notDifferentiable();
  }

  static void componentShapes(InferenceContext c) {
    List<Shape> shapes = c.attributes().shapes("output_shapes");
    for (int i = 0; i < Math.min(shapes.size(), c.outputCount()); i++) {
      c.output(i, shapes.get(i));
    }
  }
}
