package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.text.AsString;
import dev.tributary.internal.kernel.text.Assert;
import dev.tributary.internal.kernel.text.Print;
import dev.tributary.internal.kernel.text.PrintV2;
import dev.tributary.internal.kernel.text.StringFormat;
import dev.tributary.internal.kernel.text.StringJoin;
import dev.tributary.internal.kernel.text.StringToNumber;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Strings, and what graphs print, check and time. */
public final class StringOps extends TextOps {
  StringOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("AsString")
            .input("input: T")
            .output("output: string")
            .attr(
                "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half,"
                    + " uint32, uint64, complex64, complex128, bool, variant, string}")
            .attr("precision: int = -1")
            .attr("scientific: bool = false")
            .attr("shortest: bool = false")
            .attr("width: int = -1")
            .attr("fill: string = ''")
            .shape(ShapeRules::unchanged)
            .kernel(AsString::new)
            .notDifferentiable(),
        op("StringToNumber")
            .input("string_tensor: string")
            .output("output: out_type")
            .attr("out_type: {float, double, int32, int64, uint32, uint64} = float")
            .shape(ShapeRules::unchanged)
            .kernel(StringToNumber::new)
            .notDifferentiable(),
        op("StringJoin")
            .input("inputs: N * string")
            .output("output: string")
            .attr("N: int >= 0")
            .attr("separator: string = ''")
            .shape(StringOps::joinedShape)
            .kernel(StringJoin::new)
            .notDifferentiable(),
        op("StringFormat")
            .input("inputs: T")
            .output("output: string")
            .attr("T: list(type) >= 0")
            .attr("template: string = '%s'")
            .attr("placeholder: string = '%s'")
            .attr("summarize: int = 3")
            .shape(ShapeRules::scalar)
            .kernel(StringFormat::new)
            .notDifferentiable(),
        op("PrintV2")
            .input("input: string")
            .attr("output_stream: string = 'stderr'")
            .attr("end: string = '\n'")
            .stateful()
            .shape(c -> c.withRank(0, 0))
            .kernel(PrintV2::new)
            .notDifferentiable(),
        op("Print")
            .input("input: T")
            .input("data: U")
            .output("output: T")
            .attr("T: type")
            .attr("U: list(type) >= 0")
            .attr("message: string = ''")
            .attr("first_n: int = -1")
            .attr("summarize: int = 3")
            .stateful()
            .shape(ShapeRules::unchanged)
            .kernel(node -> new Print(node, line -> System.err.println(line)))
            .flag(OpFlag.PASSES_SLICES)
            .gradRule(
                (scope, op, dy) -> {
                  List<GradientValue> shares =
                      new ArrayList<>(
                          Collections.nCopies(op.inputs().size(), GradientValue.none()));
                  shares.set(0, dy.get(0));
                  return shares;
                }),
        op("Assert")
            .input("condition: bool")
            .input("data: T")
            .attr("T: list(type) >= 1")
            .attr("summarize: int = 3")
            .stateful()
            .shape(ShapeRules::unknown)
            .kernel(Assert::new)
            .notDifferentiable(),
        op("Timestamp")
            .output("ts: double")
            .stateful()
            .shape(ShapeRules::scalar)
            .kernel(node -> timestamp(Clock.systemUTC()))
            .notDifferentiable());
  }

  /** Each element as text, as C's {@code %d}, {@code %f} or {@code %s} writes it. */
  public Output asString(Operand input) {
    return scope.operation("AsString").input(input).buildOutput();
  }

  /** Each string read as a number of this type. */
  public Output stringToNumber(Operand strings, DataType type) {
    return scope.operation("StringToNumber").input(strings).attr("out_type", type).buildOutput();
  }

  /** The strings at each place, one after the other; scalars stand at every place. */
  public Output stringJoin(List<? extends Operand> inputs, String separator) {
    return scope
        .operation("StringJoin")
        .inputList(inputs)
        .attr("separator", separator)
        .buildOutput();
  }

  /**
   * The template with each {@code %s} replaced by a tensor: its first and last three elements of
   * each dimension.
   */
  public Output format(String template, Operand... inputs) {
    return scope
        .operation("StringFormat")
        .inputList(List.of(inputs))
        .attr("template", template)
        .buildOutput();
  }

  /** Writes a string and the end of the line to stderr. */
  public Operation printLine(Operand line) {
    return scope.operation("PrintV2").input(line).build();
  }

  /**
   * Passes {@code input} on and writes a line with the message and the first elements of {@code
   * data} to stderr.
   */
  public Output print(Operand input, String message, Operand... data) {
    return scope
        .operation("Print")
        .input(input)
        .inputList(List.of(data))
        .attr("message", message)
        .buildOutput();
  }

  /**
   * Fails the step with INVALID_ARGUMENT and the first elements of {@code data} if the condition is
   * false.
   */
  public Operation assertThat(Operand condition, Operand... data) {
    return scope.operation("Assert").input(condition).inputList(List.of(data)).build();
  }

  /** Seconds since 1970 when the operation runs, as a double. */
  public Output timestamp() {
    return scope.operation("Timestamp").buildOutput();
  }

  private static void joinedShape(InferenceContext context) {
    Shape shape = Shape.scalar();
    for (int i = 0; i < context.inputCount(); i++) {
      Shape input = context.input(i);
      if (!input.hasRank()) {
        return;
      }
      if (input.rank() > 0) {
        shape = shape.rank() == 0 ? input : merged(shape, input);
      }
    }
    context.output(0, shape);
  }

  private static Shape merged(Shape a, Shape b) {
    if (!a.isCompatibleWith(b)) {
      throw TributaryException.invalidArgument("Input shapes do not match: %s vs. %s", a, b);
    }
    return a.merge(b);
  }

  private static Kernel timestamp(Clock clock) {
    return c -> {
      Instant now = clock.instant();
      c.setOutput(0, Tensor.scalar(now.getEpochSecond() + now.getNano() * 1e-9));
    };
  }
}
