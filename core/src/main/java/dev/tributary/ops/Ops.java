package dev.tributary.ops;

import dev.tributary.graph.DeviceFunction;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.loop.CastLoop;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.tensor.JavaValues;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Adds operations to a graph, in one scope. The families are fields: {@code tf.add(a, b)}, {@code
 * tf.relu(x)}. Immutable; each {@code with} method gives an {@code Ops} for a narrower scope.
 *
 * <pre>{@code
 * Ops tf = Ops.create();
 * Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1, 784));
 * Output hidden = tf.withSubScope("layer1").withDevice("/job:ps").add(x, x);
 * }</pre>
 */
public final class Ops extends CommonOps {
  private final Scope scope;

  public Ops(Scope scope) {
    super(scope);
    this.scope = scope;
  }

  /** A new graph with all ops of this library, and the way to fill it. */
  public static Ops create() {
    return new Ops(new Graph(registry()).scope());
  }

  /** All ops of this library; the same registry for all who ask. */
  public static OpRegistry registry() {
    return Registry.OF_ALL;
  }

  /** Made when it is first asked for, once. */
  private static final class Registry {
    /** Those first that nearly every graph uses. */
    static final OpRegistry OF_ALL =
        OpRegistry.ofFamilies(
            List.of(
                ArrayOps::declarations,
                StateOps::declarations,
                CommOps::declarations,
                CollectiveOps::declarations,
                FunctionOps::declarations,
                MathOps::declarations,
                UnaryMathOps::declarations,
                TrigonometricOps::declarations,
                ComplexOps::declarations,
                SpecialMathOps::declarations,
                SignalOps::declarations,
                BitwiseOps::declarations,
                FlowOps::declarations,
                TrainingOps::declarations,
                KerasOptimizerOps::declarations,
                LegacyOptimizerOps::declarations,
                SparseElementOps::declarations,
                RaggedVariantOps::declarations,
                AudioOps::declarations,
                TpuOps::declarations,
                LinalgOps::declarations,
                DecompositionOps::declarations,
                FactorOps::declarations,
                BandOps::declarations,
                BatchMatrixOps::declarations,
                ReduceOps::declarations,
                ShapeOps::declarations,
                FusedOps::declarations,
                RewrittenOps::declarations,
                ActivationOps::declarations,
                NnOps::declarations,
                RandomOps::declarations,
                DistributionOps::declarations,
                StatelessRandomOps::declarations,
                StatefulRandomOps::declarations,
                CandidateOps::declarations,
                ConvOps::declarations,
                PoolOps::declarations,
                ArgmaxPoolOps::declarations,
                JoinOps::declarations,
                SliceOps::declarations,
                IndexOps::declarations,
                ScatterNdOps::declarations,
                LayoutOps::declarations,
                RollOps::declarations,
                BucketOps::declarations,
                BlockOps::declarations,
                InplaceOps::declarations,
                MatrixOps::declarations,
                ImageOps::declarations,
                ColorOps::declarations,
                BoxOps::declarations,
                ResizeOps::declarations,
                Conv3dOps::declarations,
                Pool3dOps::declarations,
                MorphologyOps::declarations,
                OrderOps::declarations,
                GlobalNormOps::declarations,
                DataFormatOps::declarations,
                CtcOps::declarations,
                RnnOps::declarations,
                QuantizeOps::declarations,
                RequantizeOps::declarations,
                CompareOps::declarations,
                SegmentOps::declarations,
                SequenceOps::declarations,
                NormOps::declarations,
                RefVariableOps::declarations,
                StringOps::declarations,
                TextOps::declarations,
                PatternOps::declarations,
                UnicodeOps::declarations,
                CountingOps::declarations,
                RowCountOps::declarations,
                SparseOps::declarations,
                SparseMathOps::declarations,
                SparseJoinOps::declarations,
                SparseMessageOps::declarations,
                SparseSegmentOps::declarations,
                RaggedOps::declarations,
                SetOps::declarations,
                IoOps::declarations,
                DecodeOps::declarations,
                ImageFileOps::declarations,
                ParseOps::declarations,
                DataFlowOps::declarations,
                TensorArray::declarations,
                TensorListOps::declarations,
                TensorListRowOps::declarations,
                OptionalOps::declarations,
                QueueOps::declarations,
                StagingOps::declarations,
                DatasetOps::declarations,
                DatasetChoiceOps::declarations,
                DatasetFileOps::declarations,
                HostOps::declarations,
                BarrierOps::declarations,
                AccumulatorOps::declarations,
                LookupOps::declarations,
                SummaryOps::declarations));
  }

  public Graph graph() {
    return scope.graph();
  }

  public Scope scope() {
    return scope;
  }

  // ---- scopes ----

  /** Names that start with {@code name/}; used again, {@code name_1/}. */
  public Ops withSubScope(String name) {
    return new Ops(scope.withSubScope(name));
  }

  /** The name of the next operation. */
  public Ops withName(String name) {
    return new Ops(scope.withName(name));
  }

  public Ops withDevice(String device) {
    return new Ops(scope.withDevice(device));
  }

  public Ops withDeviceFunction(DeviceFunction function) {
    return new Ops(scope.withDeviceFunction(function));
  }

  public Ops withControlDependencies(Operation... operations) {
    return new Ops(scope.withControlDependencies(List.of(operations)));
  }

  public Ops colocatedWith(Operation operation) {
    return new Ops(scope.colocatedWith(operation));
  }

  // ---- functions ----

  /**
   * Defines a function of the graph, which {@link #call} calls. The program builds the body from
   * the arguments, with the {@code Ops} that it is given, and returns the results.
   *
   * <pre>{@code
   * GraphFunction cube =
   *     tf.function("cube", (f, x) -> List.of(f.mul(x.get(0), f.square(x.get(0)))));
   * Output y = tf.call(cube, x).get(0);
   * }</pre>
   *
   * <p>Values and variables from outside can be used as they are. To change a variable, use it with
   * {@link Variable#in}. Operations that change state run with every call, those on one resource in
   * the order in which the program makes them.
   */
  public GraphFunction function(String name, BiFunction<Ops, List<Output>, List<Output>> program) {
    return new GraphFunction(graph(), name, program);
  }

  /** Adds a call of a function, and returns its results. */
  public List<Output> call(GraphFunction function, Operand... arguments) {
    return function.call(scope, Operand.asOutputs(List.of(arguments)));
  }

  // ---- what every graph needs ----

  public Output constant(float value) {
    return array.constantTaking(Tensor.scalar(value));
  }

  public Output constant(float... values) {
    return array.constantTaking(Tensor.of(values));
  }

  /** The elements in row-major order. */
  public Output constant(Shape shape, float... values) {
    return array.constantTaking(Tensor.of(shape, values));
  }

  public Output constant(double value) {
    return array.constantTaking(Tensor.scalar(value));
  }

  public Output constant(double... values) {
    return array.constantTaking(Tensor.of(values));
  }

  /** The elements in row-major order. */
  public Output constant(Shape shape, double... values) {
    return array.constantTaking(Tensor.of(shape, values));
  }

  public Output constant(int value) {
    return array.constantTaking(Tensor.scalar(value));
  }

  public Output constant(int... values) {
    return array.constantTaking(Tensor.of(values));
  }

  /** The elements in row-major order. */
  public Output constant(Shape shape, int... values) {
    return array.constantTaking(Tensor.of(shape, values));
  }

  public Output constant(long value) {
    return array.constantTaking(Tensor.scalar(value));
  }

  public Output constant(long... values) {
    return array.constantTaking(Tensor.of(values));
  }

  /** The elements in row-major order. */
  public Output constant(Shape shape, long... values) {
    return array.constantTaking(Tensor.of(shape, values));
  }

  public Output constant(boolean value) {
    return array.constantTaking(Tensor.scalar(value));
  }

  public Output constant(boolean... values) {
    return array.constantTaking(Tensor.of(values));
  }

  /** The elements in row-major order. */
  public Output constant(Shape shape, boolean... values) {
    return array.constantTaking(Tensor.of(shape, values));
  }

  public Output constant(String value) {
    return array.constantTaking(Tensor.scalar(value));
  }

  public Output constant(String... values) {
    return array.constantTaking(Tensor.of(values));
  }

  /** The elements in row-major order. */
  public Output constant(Shape shape, String... values) {
    return array.constantTaking(Tensor.of(shape, values));
  }

  /** A scalar of any numeric type. */
  public Output constant(DataType type, double value) {
    Tensor scalar = Tensor.allocate(type, Shape.scalar());
    try (Tensor wide = Tensor.scalar(value)) {
      CastLoop.run(DataType.DOUBLE, wide.storage().address(), type, scalar.storage().address(), 1);
    }
    return array.constantTaking(scalar);
  }

  /** A constant. The tensor stays the caller's; the graph keeps a reference of its own. */
  public Output constant(Tensor value) {
    return array.constant(value);
  }

  public Output placeholder(DataType type, Shape shape) {
    return array.placeholder(type, shape);
  }

  /**
   * A variable with this name and initial value, trained by optimizers.
   *
   * @param initialValue a number, boolean or string, an array of them with any number of
   *     dimensions, a buffer, an nd-array or a tensor
   */
  public Variable variable(String name, Object initialValue) {
    return variable(name, array.constantTaking(JavaValues.toTensor(initialValue)));
  }

  /** A variable with this name and initial value, trained by optimizers. */
  public Variable variable(String name, Operand initialValue) {
    return state.variable(name, initialValue);
  }
}
