package dev.tributary.optable;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The row of one op in the op table: everything the checks need to know to judge it. The same rows
 * are run by {@code OpTableTest} here and against stock TensorFlow in {@code interop}.
 *
 * <pre>{@code
 * OpRow.of("Square")
 *     .example(() -> OpCall.of(Tensor.of(1f, -2f)), Tensor.of(1f, 4f))
 *     .types(FLOAT, DOUBLE, INT32, INT64)
 *     .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))))
 *     .gradientOf(0)
 * }</pre>
 *
 * <p>An op that needs other nodes around it (variables, control flow, stacks) has a {@link #script}
 * in place of calls.
 */
public final class OpRow {
  /** A call with the outputs it must give. */
  public record Example(Supplier<OpCall> call, List<Tensor> outputs) {}

  private final String op;
  private final List<Example> examples = new ArrayList<>();
  private final List<DataType> types = new ArrayList<>();
  private final Map<Draw.Size, String> without = new EnumMap<>(Draw.Size.class);
  private final List<Integer> gradientInputs = new ArrayList<>();
  private final List<Integer> gradientOutputs = new ArrayList<>();
  private Function<Draw, OpCall> generator;
  private Function<Draw, Script> script;
  private double tolerance = 1e-5;
  private String withoutStock = "";
  private String withoutStockGradient = "";
  private String withoutGradientCheck = "";
  private String withoutComplexGradient = "";
  private String withoutStockComplexGradient = "";
  private boolean shapeDependsOnValues;

  private OpRow(String op) {
    this.op = op;
  }

  public static OpRow of(String op) {
    return new OpRow(op);
  }

  /** A call whose outputs are known by heart. At least one for each row with calls. */
  public OpRow example(Supplier<OpCall> call, Tensor... outputs) {
    examples.add(new Example(call, List.of(outputs)));
    return this;
  }

  /**
   * The element types that the op must run on, all of which stock TensorFlow's CPU kernels take
   * too.
   */
  public OpRow types(DataType... elementTypes) {
    types.addAll(List.of(elementTypes));
    return this;
  }

  /** Makes a valid random call for a type and a kind of size. */
  public OpRow draw(Function<Draw, OpCall> call) {
    generator = call;
    return this;
  }

  /** A small graph and steps on it, for an op that is nothing alone. */
  public OpRow script(Function<Draw, Script> program) {
    script = program;
    return this;
  }

  /** A kind of size that this op cannot have, and why. */
  public OpRow without(Draw.Size size, String reason) {
    without.put(size, reason);
    return this;
  }

  /**
   * The inputs whose gradient is compared with central differences, and with stock's where stock
   * has one.
   */
  public OpRow gradientOf(int... inputs) {
    for (int input : inputs) {
      gradientInputs.add(input);
    }
    return this;
  }

  /**
   * The only outputs that a gradient flows into, for an op that lets none through others: all
   * floating ones if not said.
   */
  public OpRow gradientFrom(int... outputs) {
    for (int output : outputs) {
      gradientOutputs.add(output);
    }
    return this;
  }

  /** Why a differentiable op has no {@link #gradientOf}: who checks its gradient instead. */
  public OpRow withoutGradientCheck(String reason) {
    withoutGradientCheck = reason;
    return this;
  }

  /** Why the gradient of complex elements, which is TensorFlow's, is not their slope. */
  public OpRow withoutComplexGradient(String reason) {
    withoutComplexGradient = reason;
    return this;
  }

  /** Why our gradient of complex elements is right although stock's differs. */
  public OpRow withoutStockComplexGradient(String reason) {
    withoutStockComplexGradient = reason;
    return this;
  }

  /**
   * The relative and absolute difference from stock that counts as equal, for float (double is a
   * thousand times finer).
   */
  public OpRow tolerance(double relative) {
    tolerance = relative;
    return this;
  }

  /** Why stock TensorFlow cannot be asked for this op's values. */
  public OpRow withoutStock(String reason) {
    withoutStock = reason;
    return this;
  }

  /** Why our gradient is right although stock's differs. */
  public OpRow withoutStockGradient(String reason) {
    withoutStockGradient = reason;
    return this;
  }

  /** The output's sizes are known only when the op runs (Where, Unique). */
  public OpRow shapeDependsOnValues() {
    shapeDependsOnValues = true;
    return this;
  }

  public String op() {
    return op;
  }

  public List<Example> examples() {
    return examples;
  }

  public List<DataType> types() {
    return types.isEmpty() ? List.of(DataType.FLOAT) : types;
  }

  public Optional<Function<Draw, OpCall>> generator() {
    return Optional.ofNullable(generator);
  }

  public Optional<Function<Draw, Script>> script() {
    return Optional.ofNullable(script);
  }

  public boolean takes(Draw.Size size) {
    return !without.containsKey(size);
  }

  public List<Integer> gradientInputs() {
    return gradientInputs;
  }

  /** Whether the gradient of this output is looked at. */
  public boolean hasGradientFrom(int output) {
    return gradientOutputs.isEmpty() || gradientOutputs.contains(output);
  }

  /** What counts as equal to stock's value for elements of this type. */
  public double tolerance(DataType elementType) {
    boolean fine = elementType == DataType.DOUBLE || elementType == DataType.COMPLEX128;
    return fine ? tolerance / 1000 : tolerance;
  }

  public Optional<String> stockExcuse() {
    return Optional.of(withoutStock).filter(s -> !s.isEmpty());
  }

  public Optional<String> stockGradientExcuse() {
    return Optional.of(withoutStockGradient).filter(s -> !s.isEmpty());
  }

  public Optional<String> gradientExcuse() {
    return Optional.of(withoutGradientCheck).filter(s -> !s.isEmpty());
  }

  public Optional<String> complexGradientExcuse() {
    return Optional.of(withoutComplexGradient).filter(s -> !s.isEmpty());
  }

  /** Why stock's gradient of complex elements is not compared; it is not where ours is no slope. */
  public Optional<String> stockComplexGradientExcuse() {
    return Optional.of(withoutStockComplexGradient)
        .filter(s -> !s.isEmpty())
        .or(this::complexGradientExcuse);
  }

  public boolean hasValueDependentShape() {
    return shapeDependsOnValues;
  }
}
