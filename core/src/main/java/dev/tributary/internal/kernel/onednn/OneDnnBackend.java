package dev.tributary.internal.kernel.onednn;

import static dev.tributary.internal.kernel.onednn.Convolution.Kind.FORWARD;

import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.PoolGeometry;
import dev.tributary.internal.kernel.ResponseNormGeometry;
import dev.tributary.internal.kernel.SoftmaxGeometry;
import dev.tributary.internal.kernel.loop.BinaryLoop;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.UnaryLoop;
import dev.tributary.internal.kernel.nn.ActivationLoops;
import dev.tributary.internal.kernel.plain.PlainBackend;
import dev.tributary.tensor.DataType;

/**
 * The native twin: float primitives through oneDNN where it gives the same results and is faster,
 * and the definition in plain Java for everything else. That is: other types, empty and very small
 * tensors, shapes for which oneDNN has only its reference code, pooling windows that lie in the
 * padding, cross entropies, batch normalisation of odd numbers of channels that lie last, and the
 * gradient of response normalisation.
 *
 * <p>Thread-safe. oneDNN works on as many threads as the {@link ParallelFor} has but not on more
 * than there are cores, the calling thread among them; 1 is inline. The helpers are OpenMP's and
 * belong to the calling thread; {@link NativeThreads} sees to it that calls of several threads do
 * not compute on more threads than there are cores. What is prepared for a shape is kept for the
 * next call, up to a bound, and freed by dropping out of it.
 */
public final class OneDnnBackend extends PlainBackend {
  /**
   * Products m * n * k up to here stay in Java: a call costs 0.42 us, as much as a Java product of
   * 8 x 8 x 8 (0.33 us; 16 x 16 x 16 takes 1.05 us in Java and 0.49 us here).
   */
  private static final long SMALL_PRODUCT = 512;

  /**
   * Up to so many elements the definition in Java is faster than a call on two threads, which costs
   * 2 us and more. Best of five rounds, ns in Java and here (2 cores of an AMD EPYC, 16 channels,
   * 2026-11-15): bias sums of 512 elements 1378 and 2377, of 8192 13483 and 9800; softmax of 128
   * 1335 and 2116, of 512 4769 and 2454; column sums of 32 150 and 191, of 128 243 and 177; sums of
   * 8192 pairs 1995 and 4246, of 16384 4132 and 4507.
   */
  private static final long SMALL_BIAS_SUM = 4096;

  private static final long SMALL_SOFTMAX = 256;
  private static final long SMALL_COLUMN_SUM = 64;
  private static final long FEW_ELEMENTS = 16384;

  /** Normalisations of so few elements stay in Java. A guess: the crossover was not measured. */
  private static final long SMALL_TENSOR = 64;

  private final ParallelFor parallel;
  private final Workers workers;
  private final NativeCalls calls;
  private final NormalizedConvolution normalized;

  public OneDnnBackend(ParallelFor parallel) {
    super(parallel);
    this.parallel = parallel;
    this.workers = new Workers(parallel);
    this.calls = workers.calls();
    this.normalized = new NormalizedConvolution(workers);
  }

  /** Loads the native library; a LinkageError says that there is none. */
  public static void load() {
    Library.load();
  }

  /** The loaded library's version. */
  public static String version() {
    return Library.version();
  }

  @Override
  public void gemm(GemmGeometry g, long a, long b, long c) {
    if (!suits(g)) {
      super.gemm(g, a, b, c);
      return;
    }
    ProductParts.of(g, parallel.threads())
        .run(
            workers,
            (some, part, ofA, ofB, ofC) -> {
              multiply(some.calls(), part, columnsOfA(g), at(a, ofA), at(b, ofB), at(c, ofC));
              return true;
            });
  }

  private static void multiply(
      NativeCalls calls, GemmGeometry g, long columnsOfA, long a, long b, long c) {
    final boolean dense = columnsOfA == columnsOfA(g);
    final boolean done =
        dense
            && (g.batch() > 1 ? MatrixProduct.covers(g) : MatrixProduct.isFastest(g))
            && calls.run(new MatrixProduct(g, Epilogue.NONE), a, b, c);
    if (!done) {
      calls.run(() -> multiplyEach(g, columnsOfA, a, b, c));
    }
  }

  private static void multiplyEach(GemmGeometry g, long columnsOfA, long a, long b, long c) {
    final Products products = Products.local();
    for (long i = 0; i < g.batch(); i++) {
      products.multiply(
          g,
          columnsOfA,
          a + i * g.strideA() * Float.BYTES,
          b + i * g.strideB() * Float.BYTES,
          c + i * g.m() * g.n() * Float.BYTES);
    }
  }

  private static long columnsOfA(GemmGeometry g) {
    return g.transposeA() ? g.m() : g.k();
  }

  private static long at(long address, long index) {
    return address + index * Float.BYTES;
  }

  @Override
  public void gemm(GemmGeometry g, Epilogue epilogue, long a, long b, long bias, long c) {
    final Epilogue inside = inside(epilogue);
    final boolean covered =
        suits(g) && !epilogue.isNone() && !g.accumulate() && MatrixProduct.covers(g);
    final boolean done =
        covered
            && ProductParts.of(g, g.transposeA() ? 1 : parallel.threads())
                .run(
                    workers,
                    (some, part, ofA, ofB, ofC) ->
                        finish(
                            some,
                            part,
                            epilogue,
                            inside,
                            at(a, ofA),
                            at(b, ofB),
                            bias,
                            at(c, ofC)));
    if (!done) {
      super.gemm(g, epilogue, a, b, bias, c);
    }
  }

  private static boolean finish(
      Workers some,
      GemmGeometry g,
      Epilogue epilogue,
      Epilogue inside,
      long a,
      long b,
      long bias,
      long c) {
    final MatrixProduct product = new MatrixProduct(g, inside);
    final boolean done =
        inside.bias()
            ? some.calls().run(product, a, b, c, bias)
            : some.calls().run(product, a, b, c);
    if (done && !inside.equals(epilogue)) {
      Clipping.run(some.parallel(), epilogue, c, g.batch() * g.m() * g.n());
    }
    return done;
  }

  @Override
  public void convolution(DataType type, ConvGeometry g, long input, long filter, long output) {
    if (!run(type, FORWARD, g, Epilogue.NONE, input, filter, output)) {
      super.convolution(type, g, input, filter, output);
    }
  }

  @Override
  public void convolution(
      DataType type,
      ConvGeometry g,
      Epilogue epilogue,
      long input,
      long filter,
      long bias,
      long output) {
    final ImageParts parts = ImageParts.of(g, epilogue.activation());
    final Epilogue inside = inside(epilogue);
    final boolean done =
        type == DataType.FLOAT
            && hasElements(g)
            && parts.run(
                workers,
                (some, from, to) -> {
                  final long end = output + to;
                  final boolean ran =
                      finish(some, parts.part(), inside, input + from, filter, bias, end);
                  if (ran && !inside.equals(epilogue)) {
                    Clipping.run(some.parallel(), epilogue, end, parts.part().outputElements());
                  }
                  return ran;
                });
    if (!done) {
      super.convolution(type, g, epilogue, input, filter, bias, output);
    }
  }

  private static boolean finish(
      Workers some,
      ConvGeometry g,
      Epilogue epilogue,
      long input,
      long filter,
      long bias,
      long output) {
    final Convolution recipe = new Convolution(FORWARD, g, epilogue, Convolution.Norm.NONE);
    return epilogue.bias()
        ? some.calls().run(recipe, input, filter, output, bias)
        : some.calls().run(recipe, input, filter, output);
  }

  @Override
  public void normalizedConvolution(
      ConvGeometry g,
      float epsilon,
      Activation activation,
      long input,
      long filter,
      Affine affine,
      Moments moments,
      long output) {
    final Epilogue epilogue = Epilogue.biasThen(activation);
    final boolean done =
        normalized.run(g, epsilon, epilogue, input, filter, affine, moments, output);
    if (!done) {
      super.normalizedConvolution(g, epsilon, activation, input, filter, affine, moments, output);
    }
  }

  @Override
  public void convolutionInputGradient(
      DataType type, ConvGeometry g, long filter, long outputGradient, long inputGradient) {
    final Convolution.Kind kind = Convolution.Kind.INPUT_GRADIENT;
    if (!run(type, kind, g, Epilogue.NONE, filter, outputGradient, inputGradient)) {
      super.convolutionInputGradient(type, g, filter, outputGradient, inputGradient);
    }
  }

  @Override
  public void convolutionFilterGradient(
      DataType type, ConvGeometry g, long input, long outputGradient, long filterGradient) {
    final Convolution.Kind kind = Convolution.Kind.FILTER_GRADIENT;
    if (!run(type, kind, g, Epilogue.NONE, input, outputGradient, filterGradient)) {
      super.convolutionFilterGradient(type, g, input, outputGradient, filterGradient);
    }
  }

  @Override
  public void maxPool(DataType type, PoolGeometry g, long input, long output) {
    if (!run(type, Pooling.Kind.MAX, g, input, output)) {
      super.maxPool(type, g, input, output);
    }
  }

  @Override
  public void maxPoolGradient(
      DataType type, PoolGeometry g, long input, long outputGradient, long inputGradient) {
    if (!run(type, Pooling.Kind.MAX_GRADIENT, g, input, outputGradient, inputGradient)) {
      super.maxPoolGradient(type, g, input, outputGradient, inputGradient);
    }
  }

  @Override
  public void averagePool(DataType type, PoolGeometry g, long input, long output) {
    if (!run(type, Pooling.Kind.AVERAGE, g, input, output)) {
      super.averagePool(type, g, input, output);
    }
  }

  @Override
  public void averagePoolGradient(
      DataType type, PoolGeometry g, long outputGradient, long inputGradient) {
    if (!run(type, Pooling.Kind.AVERAGE_GRADIENT, g, outputGradient, inputGradient)) {
      super.averagePoolGradient(type, g, outputGradient, inputGradient);
    }
  }

  @Override
  public void softmax(SoftmaxGeometry g, long logits, long output) {
    if (!softmaxRows(g, false, logits, output)) {
      super.softmax(g, logits, output);
    }
  }

  @Override
  public void logSoftmax(SoftmaxGeometry g, long logits, long output) {
    if (!softmaxRows(g, true, logits, output)) {
      super.logSoftmax(g, logits, output);
    }
  }

  @Override
  public void elementWise(UnaryLoop loop, DataType type, long count, long input, long output) {
    final boolean done =
        loop == ActivationLoops.RELU
            && type == DataType.FLOAT
            && count > FEW_ELEMENTS
            && rectify(count, input, output);
    if (!done) {
      super.elementWise(loop, type, count, input, output);
    }
  }

  /** Returns whether it was done: piece by piece, each compared with zeros from the cache. */
  private boolean rectify(long count, long input, long output) {
    final long most = Zeros.BYTES / Float.BYTES;
    boolean done = true;
    for (long first = 0; done && first < count; first += most) {
      final long shift = first * Float.BYTES;
      done =
          run(new RectifiedElements(Math.min(most, count - first)), input + shift, output + shift);
    }
    return done;
  }

  @Override
  public void elementWise(
      BinaryLoop loop, DataType type, Broadcast walk, long left, long right, long output) {
    final boolean done =
        type == DataType.FLOAT
            && walk.elementCount() > FEW_ELEMENTS
            && walk.isFlat()
            && PairFunction.of(loop).map(f -> pairs(f, walk, left, right, output)).orElse(false);
    if (!done) {
      super.elementWise(loop, type, walk, left, right, output);
    }
  }

  /** Returns whether it was done: the library repeats only a right operand. */
  private boolean pairs(PairFunction f, Broadcast walk, long left, long right, long output) {
    final long count = walk.elementCount();
    if (walk.isDense(0)) {
      return run(new Pairs(f, count, walk.isDense(1) ? count : 1), left, right, output);
    }
    return f.isSymmetric() && walk.isDense(1) && run(new Pairs(f, count, 1), right, left, output);
  }

  @Override
  public void biasAdd(DataType type, ChannelGeometry g, long value, long bias, long output) {
    final boolean done =
        type == DataType.FLOAT
            && g.elements() > SMALL_BIAS_SUM
            && run(new BiasSum(g), value, bias, output);
    if (!done) {
      super.biasAdd(type, g, value, bias, output);
    }
  }

  @Override
  public void biasAddGradient(
      DataType type, ChannelGeometry g, long outputGradient, long biasGradient) {
    if (type != DataType.FLOAT || g.inner() != 1 || g.elements() <= SMALL_COLUMN_SUM) {
      super.biasAddGradient(type, g, outputGradient, biasGradient);
      return;
    }
    calls.run(() -> ColumnSums.run(g.outer(), g.channels(), outputGradient, biasGradient));
  }

  @Override
  public void batchNormTraining(
      ChannelGeometry g,
      float epsilon,
      float factor,
      long x,
      Affine affine,
      Moments old,
      long y,
      Moments updated,
      Moments saved) {
    final BatchNormalisation recipe = new BatchNormalisation(g, epsilon, true, false);
    if (g.elements() > SMALL_TENSOR && normalise(recipe, x, affine, saved, y)) {
      final RunningStatistics averages = new RunningStatistics(g.channels(), factor);
      averages.update(old.mean(), saved.mean(), 1, updated.mean());
      final double unbiased = (double) g.pixels() / Math.max(1, g.pixels() - 1);
      averages.update(old.variance(), saved.variance(), unbiased, updated.variance());
    } else {
      super.batchNormTraining(g, epsilon, factor, x, affine, old, y, updated, saved);
    }
  }

  @Override
  public void batchNormInference(
      ChannelGeometry g, float epsilon, long x, Affine affine, Moments moments, long y) {
    final BatchNormalisation recipe = new BatchNormalisation(g, epsilon, false, false);
    if (g.elements() <= SMALL_TENSOR || !normalise(recipe, x, affine, moments, y)) {
      super.batchNormInference(g, epsilon, x, affine, moments, y);
    }
  }

  private boolean normalise(
      BatchNormalisation recipe, long x, Affine affine, Moments moments, long y) {
    return run(recipe, x, y, affine.scale(), affine.offset(), moments.mean(), moments.variance());
  }

  @Override
  public void batchNormGradient(
      ChannelGeometry g,
      float epsilon,
      boolean training,
      long dy,
      long x,
      long scale,
      Moments moments,
      long dx,
      Affine dAffine) {
    final BatchNormalisation recipe = new BatchNormalisation(g, epsilon, training, true);
    final boolean done =
        g.elements() > SMALL_TENSOR
            && run(
                recipe,
                x,
                scale,
                moments.mean(),
                moments.variance(),
                dy,
                dx,
                dAffine.scale(),
                dAffine.offset());
    if (!done) {
      super.batchNormGradient(g, epsilon, training, dy, x, scale, moments, dx, dAffine);
    }
  }

  @Override
  public void localResponseNorm(ResponseNormGeometry g, long input, long output) {
    final boolean done =
        g.type() == DataType.FLOAT
            && g.pixels() * g.channels() > SMALL_TENSOR
            && run(new ResponseNormalisation(g), input, output);
    if (!done) {
      super.localResponseNorm(g, input, output);
    }
  }

  /** The part of an epilogue that a program does; the rest is a pass of its own. */
  static Epilogue inside(Epilogue epilogue) {
    return epilogue.activation() == Activation.RELU ? epilogue : Clipping.before(epilogue);
  }

  private boolean softmaxRows(SoftmaxGeometry g, boolean logarithm, long logits, long output) {
    return g.type() == DataType.FLOAT
        && g.elements() > SMALL_SOFTMAX
        && run(new SoftmaxRows(logarithm, g.rows(), g.classes()), logits, output);
  }

  private boolean run(DataType type, Pooling.Kind kind, PoolGeometry g, long... addresses) {
    return type == DataType.FLOAT && Pooling.covers(g) && run(new Pooling(kind, g), addresses);
  }

  private static boolean suits(GemmGeometry g) {
    return g.type() == DataType.FLOAT && g.batch() > 0 && g.m() * g.n() * g.k() > SMALL_PRODUCT;
  }

  private boolean run(
      DataType type, Convolution.Kind kind, ConvGeometry g, Epilogue epilogue, long... addresses) {
    return type == DataType.FLOAT
        && hasElements(g)
        && run(new Convolution(kind, g, epilogue, Convolution.Norm.NONE), addresses);
  }

  static boolean hasElements(ConvGeometry g) {
    return g.inputElements() > 0 && g.filterElements() > 0 && g.outputElements() > 0;
  }

  /** False where oneDNN has nothing for it. */
  private boolean run(ProgramCache.Recipe recipe, long... addresses) {
    return calls.run(recipe, addresses);
  }
}
