package dev.tributary.optable;

import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.util.ArrayList;
import java.util.List;

/**
 * Each optimizer in all its forms: three steps with one gradient, looking at the variable and its
 * slots after each.
 */
final class TrainingOpRows {
  private static final double[] ANY = {-2, 2};
  private static final double[] POSITIVE = {0.1, 2};

  /** Stands for the number of steps made, which is an integer. */
  private static final double[] STEPS = {1, 4};

  private TrainingOpRows() {}

  /**
   * How to draw an optimizer's inputs.
   *
   * @param slots a range for the variable and for each slot
   * @param inputs a range for each input after these; null stands for the gradient, whose place it
   *     takes
   * @param flag a boolean attribute, or nothing
   */
  private record Optimizer(String name, double[][] slots, double[][] inputs, String flag) {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    dense(rows, new Optimizer("GradientDescent", all(ANY), all(range(0, 1), null), ""));
    both(
        rows,
        new Optimizer(
            "Momentum", all(ANY, ANY), all(range(0, 1), null, range(0, 1)), "use_nesterov"));
    both(
        rows, new Optimizer("Adagrad", all(ANY, POSITIVE), all(range(0, 1), null), "update_slots"));
    dense(
        rows,
        new Optimizer(
            "Adam",
            all(ANY, ANY, POSITIVE),
            all(
                range(0, 0.9),
                range(0, 0.9),
                range(0, 1),
                range(0, 1),
                range(0, 1),
                range(0.01, 0.1),
                null),
            "use_nesterov"));
    both(
        rows,
        new Optimizer(
            "RMSProp",
            all(ANY, POSITIVE, ANY),
            all(range(0, 1), range(0, 1), range(0, 1), range(0.01, 0.1), null),
            ""));
    both(
        rows,
        new Optimizer(
            "CenteredRMSProp",
            // The mean square is never below the square of the mean.
            all(ANY, range(-0.3, 0.3), POSITIVE, ANY),
            all(range(0, 1), range(0, 1), range(0, 1), range(0.01, 0.1), null),
            ""));
    both(
        rows,
        new Optimizer(
            "Ftrl",
            all(ANY, POSITIVE, ANY),
            all(null, range(0.1, 1), range(0, 1), range(0, 1), range(-1, 0)),
            "multiply_linear_by_lr"));
    both(
        rows,
        new Optimizer(
            "FtrlV2",
            all(ANY, POSITIVE, ANY),
            all(null, range(0.1, 1), range(0, 1), range(0, 1), range(0, 1), range(-1, 0)),
            "multiply_linear_by_lr"));
    both(
        rows,
        new Optimizer(
            "Adadelta",
            all(ANY, POSITIVE, POSITIVE),
            all(range(0, 1), range(0, 1), range(0.01, 0.1), null),
            ""));
    both(
        rows,
        new Optimizer(
            "AdagradV2",
            all(ANY, POSITIVE),
            all(range(0, 1), range(0.01, 0.1), null),
            "update_slots"));
    dense(
        rows,
        new Optimizer(
            "AdaMax",
            all(ANY, ANY, POSITIVE),
            all(range(0, 0.9), range(0, 1), range(0, 1), range(0, 1), range(0.01, 0.1), null),
            ""));
    both(
        rows,
        new Optimizer(
            "ProximalGradientDescent",
            all(ANY),
            all(range(0.1, 1), range(0, 1), range(0, 1), null),
            ""));
    both(
        rows,
        new Optimizer(
            "ProximalAdagrad",
            all(ANY, POSITIVE),
            all(range(0.1, 1), range(0, 1), range(0, 1), null),
            ""));
    both(
        rows,
        new Optimizer(
            "AdagradDA",
            all(ANY, ANY, POSITIVE),
            all(null, range(0.1, 1), range(0, 0.5), range(0, 1), STEPS),
            ""));
    for (String name : List.of("AddSign", "PowerSign")) {
      dense(
          rows,
          new Optimizer(
              name,
              all(ANY, ANY),
              all(range(0, 1), range(0, 1), range(0, 1), range(0, 1), null),
              ""));
    }
    ofResources(
        rows,
        new Optimizer(
            "AdamWithAmsgrad",
            all(ANY, ANY, POSITIVE, POSITIVE),
            all(
                range(0, 0.9),
                range(0, 0.9),
                range(0, 1),
                range(0, 1),
                range(0, 1),
                range(0.01, 0.1),
                null),
            ""),
        "ResourceApply");
    Optimizer keras =
        new Optimizer(
            "KerasMomentum", all(ANY, ANY), all(range(0, 1), null, range(0, 1)), "use_nesterov");
    ofResources(rows, keras, "ResourceApply");
    ofResources(rows, keras, "ResourceSparseApply");
    return rows;
  }

  private static void ofResources(List<OpRow> rows, Optimizer optimizer, String form) {
    String op = form + optimizer.name;
    OpRow row = OpRow.of(op).types(FLOAT, DOUBLE).script(d -> script(d, op, optimizer));
    rows.add(
        form.contains("Sparse")
            ? row.without(Draw.Size.SCALAR, "only a variable of rank 1 or more has rows")
            : row);
  }

  private static void both(List<OpRow> rows, Optimizer optimizer) {
    dense(rows, optimizer);
    for (String op :
        List.of("SparseApply" + optimizer.name, "ResourceSparseApply" + optimizer.name)) {
      rows.add(
          OpRow.of(op)
              .types(FLOAT, DOUBLE)
              .without(Draw.Size.SCALAR, "only a variable of rank 1 or more has rows")
              .script(d -> script(d, op, optimizer)));
    }
  }

  private static void dense(List<OpRow> rows, Optimizer optimizer) {
    for (String op : List.of("Apply" + optimizer.name, "ResourceApply" + optimizer.name)) {
      rows.add(OpRow.of(op).types(FLOAT, DOUBLE).script(d -> script(d, op, optimizer)));
    }
  }

  private static Script script(Draw d, String op, Optimizer optimizer) {
    boolean sparse = op.contains("Sparse");
    Shape shape = sparse ? d.shape(1, 3) : d.shape(0, 3);
    Variables variables =
        new Variables(
            op.startsWith("Resource") ? Variables.Kind.RESOURCE : Variables.Kind.REFERENCE);
    List<Output> state = new ArrayList<>();
    for (double[] range : optimizer.slots) {
      state.add(variables.add(d.tensor(d.type(), shape, range[0], range[1])));
    }
    OperationBuilder builder = variables.tf.scope().operation(op);
    state.forEach(builder::input);
    for (double[] range : optimizer.inputs) {
      if (range != null) {
        builder.input(Constants.taking(variables.tf, scalar(d, range)));
      } else if (sparse) {
        int rows = (int) shape.size(0);
        Shape indices = Shape.of(rows == 0 ? 0 : 6);
        builder.input(
            Constants.taking(
                variables.tf, d.tensor(indices.concatenate(shape.slice(1, shape.rank())))));
        builder.input(
            Constants.taking(
                variables.tf, d.indices(d.oneOf(INT32, INT64), indices, 0, Math.max(1, rows))));
      } else {
        builder.input(Constants.taking(variables.tf, d.tensor(shape)));
      }
    }
    if (!optimizer.flag.isEmpty()) {
      builder.attr(optimizer.flag, d.flip());
    }
    builder.attr("use_locking", d.flip());
    return variables.updated(builder.build(), 3);
  }

  /**
   * A value of the range; a negative range also gives its middle, which is where Ftrl's power has a
   * case of its own.
   */
  private static Tensor scalar(Draw d, double[] range) {
    if (range == STEPS) {
      return d.tensor(INT64, Shape.scalar(), range[0], range[1]);
    }
    if (range[0] < 0 && d.flip()) {
      return d.tensor(d.type(), Shape.scalar(), -0.5, -0.5);
    }
    return d.tensor(d.type(), Shape.scalar(), range[0], range[1]);
  }

  private static double[] range(double low, double high) {
    return new double[] {low, high};
  }

  private static double[][] all(double[]... ranges) {
    return ranges;
  }
}
