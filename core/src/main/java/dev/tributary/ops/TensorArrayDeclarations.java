package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Output;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.flow.TensorArrayKernels;
import dev.tributary.tensor.Shape;
import java.util.List;

/** The ops of tensor arrays. Their gradients are the opposite ops on an array of gradients. */
final class TensorArrayDeclarations {
  private TensorArrayDeclarations() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        op("TensorArrayV3")
            .input("size: int32")
            .output("handle: resource")
            .output("flow: float")
            .attr("dtype: type")
            .attr("element_shape: shape = { unknown_rank: true }")
            .attr("dynamic_size: bool = false")
            .attr("clear_after_read: bool = true")
            .attr("identical_element_shapes: bool = false")
            .attr("tensor_array_name: string = ''")
            .stateful()
            .shape(
                c -> {
                  c.withRank(0, 0);
                  ShapeRules.scalar(c);
                  c.outputHandle(0, c.attributes().shape("element_shape"));
                })
            .kernel(TensorArrayKernels::make)
            .notDifferentiable(),
        op("TensorArrayGradV3")
            .input("handle: resource")
            .input("flow_in: float")
            .output("grad_handle: resource")
            .output("flow_out: float")
            .attr("source: string")
            .stateful()
            .shape(
                c -> {
                  ShapeRules.scalar(c);
                  c.outputHandles(0, c.inputHandles(0));
                })
            .kernel(TensorArrayKernels::gradient)
            .notDifferentiable(),
        op("TensorArrayWriteV3")
            .input("handle: resource")
            .input("index: int32")
            .input("value: T")
            .input("flow_in: float")
            .output("flow_out: float")
            .attr("T: type")
            .stateful()
            .shape(
                c -> {
                  c.withRank(1, 0);
                  ShapeRules.scalar(c);
                })
            .kernel(node -> TensorArrayKernels::write)
            .grad(
                (tf, op, flow) -> {
                  TensorArray gradients =
                      TensorArray.gradientsAfter(tf, op, op.attributes().type("T"), flow);
                  return List.of(none(), none(), gradients.read(op.input(1)), flow);
                }),
        op("TensorArrayReadV3")
            .input("handle: resource")
            .input("index: int32")
            .input("flow_in: float")
            .output("value: dtype")
            .attr("dtype: type")
            .stateful()
            .shape(
                c -> {
                  c.withRank(1, 0);
                  c.output(0, c.inputHandle(0));
                })
            .kernel(node -> TensorArrayKernels::read)
            .grad(
                (tf, op, dy) -> {
                  TensorArray gradients = TensorArray.gradientsOf(tf, op, dy.type(), op.input(2));
                  return List.of(none(), none(), gradients.write(op.input(1), dy).flow());
                }),
        op("TensorArrayGatherV3")
            .input("handle: resource")
            .input("indices: int32")
            .input("flow_in: float")
            .output("value: dtype")
            .attr("dtype: type")
            .attr("element_shape: shape = { unknown_rank: true }")
            .stateful()
            .shape(TensorArrayDeclarations::gatherShape)
            .kernel(TensorArrayKernels::gather)
            .grad(
                (tf, op, dy) -> {
                  TensorArray gradients = TensorArray.gradientsOf(tf, op, dy.type(), op.input(2));
                  return List.of(none(), none(), gradients.scatter(op.input(1), dy).flow());
                }),
        op("TensorArrayScatterV3")
            .input("handle: resource")
            .input("indices: int32")
            .input("value: T")
            .input("flow_in: float")
            .output("flow_out: float")
            .attr("T: type")
            .stateful()
            .shape(
                c -> {
                  c.withRank(1, 1);
                  ShapeRules.scalar(c);
                })
            .kernel(node -> TensorArrayKernels::scatter)
            .grad(
                (tf, op, flow) -> {
                  TensorArray gradients =
                      TensorArray.gradientsAfter(tf, op, op.attributes().type("T"), flow);
                  return List.of(none(), none(), gradients.gather(op.input(1)), flow);
                }),
        op("TensorArrayConcatV3")
            .input("handle: resource")
            .input("flow_in: float")
            .output("value: dtype")
            .output("lengths: int64")
            .attr("dtype: type")
            .attr("element_shape_except0: shape = { unknown_rank: true }")
            .stateful()
            .shape(c -> c.output(1, Shape.ofRank(1)))
            .kernel(TensorArrayKernels::concat)
            .gradRule(
                (scope, op, dy) -> {
                  Output value = (Output) dy.get(0);
                  TensorArray gradients =
                      TensorArray.gradientsOf(new Ops(scope), op, value.type(), op.input(1));
                  return List.of(none(), gradients.split(value, op.output(1)).flow());
                }),
        op("TensorArraySplitV3")
            .input("handle: resource")
            .input("value: T")
            .input("lengths: int64")
            .input("flow_in: float")
            .output("flow_out: float")
            .attr("T: type")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(node -> TensorArrayKernels::split)
            .grad(
                (tf, op, flow) -> {
                  TensorArray gradients =
                      TensorArray.gradientsAfter(tf, op, op.attributes().type("T"), flow);
                  return List.of(none(), gradients.concat(), none(), flow);
                }),
        op("TensorArraySizeV3")
            .input("handle: resource")
            .input("flow_in: float")
            .output("size: int32")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(node -> TensorArrayKernels::size)
            .notDifferentiable(),
        op("TensorArrayCloseV3")
            .input("handle: resource")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(node -> TensorArrayKernels::close)
            .notDifferentiable());
  }

  private static void gatherShape(InferenceContext c) {
    Shape indices = c.withRank(1, 1);
    Shape element = c.attributes().shape("element_shape");
    c.output(
        0, Shape.of(indices.size(0)).concatenate(element.hasRank() ? element : c.inputHandle(0)));
  }

  private static GradientValue none() {
    return GradientValue.none();
  }
}
