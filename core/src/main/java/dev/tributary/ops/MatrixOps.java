package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.array.Bands;
import dev.tributary.internal.kernel.array.Diagonals;
import dev.tributary.internal.kernel.array.TensorDiagonals;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/** Ops on the bands and diagonals of the matrices in the last two dimensions. */
abstract sealed class MatrixOps permits FactorOps {
  private static final String DIAGONAL =
      "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}";

  private static final long[] MINUS_ONE = {-1};

  final Scope scope;

  MatrixOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("MatrixBandPart")
            .input("input: T")
            .input("num_lower: Tindex")
            .input("num_upper: Tindex")
            .output("band: T")
            .attr("T: type")
            .attr("Tindex: {int32, int64} = int64")
            .shape(
                c -> {
                  c.withRank(1, 0);
                  c.withRank(2, 0);
                  c.output(0, c.withRankAtLeast(0, 2));
                })
            .kernel(node -> Bands::bandPart)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.linalg.bandPart(dy, op.input(1), op.input(2)),
                        GradientValue.none(),
                        GradientValue.none())),
        op("Diag")
            .input("diagonal: T")
            .output("output: T")
            .attr(DIAGONAL)
            .shape(
                c -> {
                  Shape shape = c.withRankAtLeast(0, 1);
                  c.output(0, shape.concatenate(shape));
                })
            .kernel(node -> TensorDiagonals::diag)
            .grad((tf, op, dy) -> List.of(tf.linalg.tensorDiagPart(dy))),
        op("DiagPart")
            .input("input: T")
            .output("diagonal: T")
            .attr(DIAGONAL)
            .shape(
                c -> {
                  if (c.input(0).hasRank()) {
                    c.output(0, TensorDiagonals.half(c.input(0)));
                  }
                })
            .kernel(node -> TensorDiagonals::part)
            .grad((tf, op, dy) -> List.of(tf.linalg.tensorDiag(dy))),
        op("MatrixDiag")
            .input("diagonal: T")
            .output("output: T")
            .attr("T: type")
            .shape(c -> matrixShape(c, Optional.of(Diagonals.Range.MAIN)))
            .kernel(Diagonals::matrix)
            .grad((tf, op, dy) -> List.of(tf.linalg.diagPart(dy))),
        op("MatrixDiagPart")
            .input("input: T")
            .output("diagonal: T")
            .attr("T: type")
            .shape(c -> partShape(c, Optional.of(Diagonals.Range.MAIN)))
            .kernel(Diagonals::part)
            .grad((tf, op, dy) -> List.of(tf.linalg.setDiag(tf.zerosLike(op.input(0)), dy))),
        op("MatrixSetDiag")
            .input("input: T")
            .input("diagonal: T")
            .output("output: T")
            .attr("T: type")
            .shape(c -> setShape(c, Optional.of(Diagonals.Range.MAIN)))
            .kernel(Diagonals::set)
            .grad(
                (tf, op, dy) ->
                    List.of(
                        tf.linalg.setDiag(dy, tf.zerosLike(op.input(1))), tf.linalg.diagPart(dy))),
        diag("MatrixDiagV2", false),
        diag("MatrixDiagV3", true),
        diagPart("MatrixDiagPartV2", false),
        diagPart("MatrixDiagPartV3", true),
        setDiag("MatrixSetDiagV2", false),
        setDiag("MatrixSetDiagV3", true));
  }

  private static OpDeclaration diag(String name, boolean aligned) {
    Declaration declaration =
        op(name)
            .input("diagonal: T")
            .input("k: int32")
            .input("num_rows: int32")
            .input("num_cols: int32")
            .input("padding_value: T")
            .output("output: T")
            .attr("T: type");
    return aligned(declaration, aligned)
        .shape(c -> matrixShape(c, range(c, 1)))
        .kernel(Diagonals::matrix)
        .grad(
            (tf, op, dy) -> {
              GradientValue none = GradientValue.none();
              return List.of(tf.linalg.partLike(op, dy, op.input(1)), none, none, none, none);
            });
  }

  private static OpDeclaration diagPart(String name, boolean aligned) {
    Declaration declaration =
        op(name)
            .input("input: T")
            .input("k: int32")
            .input("padding_value: T")
            .output("diagonal: T")
            .attr("T: type");
    return aligned(declaration, aligned)
        .shape(c -> partShape(c, range(c, 1)))
        .kernel(Diagonals::part)
        .grad(
            (tf, op, dy) -> {
              Output zeros = tf.zerosLike(op.input(0));
              return List.of(
                  tf.linalg.setLike(op, zeros, dy, op.input(1)),
                  GradientValue.none(),
                  GradientValue.none());
            });
  }

  private static OpDeclaration setDiag(String name, boolean aligned) {
    Declaration declaration =
        op(name)
            .input("input: T")
            .input("diagonal: T")
            .input("k: int32")
            .output("output: T")
            .attr("T: type");
    return aligned(declaration, aligned)
        .shape(c -> setShape(c, range(c, 2)))
        .kernel(Diagonals::set)
        .grad(
            (tf, op, dy) ->
                List.of(
                    tf.linalg.setLike(op, dy, tf.zerosLike(op.input(1)), op.input(2)),
                    tf.linalg.partLike(op, dy, op.input(2)),
                    GradientValue.none()));
  }

  /** The second form fills up rows at their end; the third one says where. */
  private static Declaration aligned(Declaration declaration, boolean aligned) {
    return aligned
        ? declaration.attr(
            "align: {'LEFT_RIGHT', 'RIGHT_LEFT', 'LEFT_LEFT', 'RIGHT_RIGHT'} = 'RIGHT_LEFT'")
        : declaration;
  }

  private static Optional<Diagonals.Range> range(InferenceContext context, int input) {
    return KnownValues.complete(context, input).map(Diagonals.Range::of);
  }

  private static void partShape(InferenceContext context, Optional<Diagonals.Range> range) {
    Shape input = context.withRankAtLeast(0, 2);
    if (input.hasRank() && range.isPresent()) {
      context.output(0, range.get().parts(input));
    }
  }

  private static void matrixShape(InferenceContext context, Optional<Diagonals.Range> range) {
    Shape parts = context.withRankAtLeast(0, 1);
    boolean main = context.inputCount() == 1;
    Optional<long[]> rows = main ? Optional.of(MINUS_ONE) : KnownValues.complete(context, 2);
    Optional<long[]> columns = main ? Optional.of(MINUS_ONE) : KnownValues.complete(context, 3);
    boolean known = range.isPresent() && rows.isPresent() && columns.isPresent();
    if (parts.hasRank() && known) {
      context.output(0, range.get().matrices(parts, rows.get()[0], columns.get()[0]));
    }
  }

  private static void setShape(InferenceContext context, Optional<Diagonals.Range> range) {
    Shape input = context.withRankAtLeast(0, 2);
    if (input.hasRank() && range.isPresent()) {
      range.get().parts(input).merge(context.input(1));
    }
    context.output(0, input);
  }

  /**
   * Matrices with zeros outside of a band: {@code lower} diagonals below the main one and {@code
   * upper} above it, or all of them if negative.
   */
  public Output bandPart(Operand input, Operand lower, Operand upper) {
    return scope.operation("MatrixBandPart").input(input).input(lower).input(upper).buildOutput();
  }

  /** Matrices with these main diagonals, and zeros elsewhere. */
  public Output diag(Operand diagonal) {
    return scope.operation("MatrixDiag").input(diagonal).buildOutput();
  }

  /** The main diagonals of matrices. */
  public Output diagPart(Operand input) {
    return scope.operation("MatrixDiagPart").input(input).buildOutput();
  }

  /** Matrices with other main diagonals. */
  public Output setDiag(Operand input, Operand diagonal) {
    return scope.operation("MatrixSetDiag").input(input).input(diagonal).buildOutput();
  }

  /** A tensor with all dimensions of another one twice, which it has as its diagonal. */
  public Output tensorDiag(Operand diagonal) {
    return scope.operation("Diag").input(diagonal).buildOutput();
  }

  /** The diagonal of a tensor whose dimensions are there twice. */
  public Output tensorDiagPart(Operand input) {
    return scope.operation("DiagPart").input(input).buildOutput();
  }

  /** The diagonals that an op is about, in its form. */
  Output partLike(Operation op, Output matrices, Output k) {
    OperationBuilder part =
        scope
            .operation(form(op, "MatrixDiagPart"))
            .input(matrices)
            .input(k)
            .input(new Ops(scope).constant(matrices.type(), 0));
    op.attributes().find("align").ifPresent(align -> part.attr("align", align));
    return part.buildOutput();
  }

  Output setLike(Operation op, Output matrices, Output diagonals, Output k) {
    OperationBuilder set =
        scope.operation(form(op, "MatrixSetDiag")).input(matrices).input(diagonals).input(k);
    op.attributes().find("align").ifPresent(align -> set.attr("align", align));
    return set.buildOutput();
  }

  private static String form(Operation op, String name) {
    return name + op.type().substring(op.type().length() - 2);
  }
}
