package dev.tributary.kernel.onednn;

import dev.tributary.kernel.ConvGeometry;
import dev.tributary.kernel.Epilogue;
import dev.tributary.kernel.GemmGeometry;
import dev.tributary.kernel.ParallelFor;
import dev.tributary.kernel.plain.PlainBackend;
import dev.tributary.tensor.DataType;

/**
 * The native twin: float primitives through oneDNN where it gives the same results and is faster,
 * and the definition in plain Java for everything else.
 */
public final class OneDnnBackend extends PlainBackend {
  /** Enough for all shapes of some large models. */
  private static final int PROGRAMS = 1024;

  private final int threads;
  private final ProgramCache programs = new ProgramCache(PROGRAMS);

  public OneDnnBackend(ParallelFor parallel) {
    super(parallel);
    this.threads = parallel.threads();
  }

  @Override
  public void gemm(GemmGeometry g, long a, long b, long c) {
    if (!suits(g)) {
      super.gemm(g, a, b, c);
      return;
    }
    if (g.batch() > 1
        && MatrixProduct.covers(g)
        && run(new MatrixProduct(g, Epilogue.NONE), a, b, c)) {
      return;
    }
    OmpThreads.use(threads);
    final Products products = Products.local();
    for (long i = 0; i < g.batch(); i++) {
      products.multiply(
          g,
          a + i * g.strideA() * Float.BYTES,
          b + i * g.strideB() * Float.BYTES,
          c + i * g.m() * g.n() * Float.BYTES);
    }
  }

  @Override
  public void gemm(GemmGeometry g, Epilogue epilogue, long a, long b, long bias, long c) {
    final boolean done =
        suits(g)
            && !epilogue.isNone()
            && MatrixProduct.covers(g)
            && run(new MatrixProduct(g, epilogue), epilogue, a, b, bias, c);
    if (!done) {
      super.gemm(g, epilogue, a, b, bias, c);
    }
  }

  @Override
  public void convolution(DataType type, ConvGeometry g, long input, long filter, long output) {
    if (!run(type, Convolution.Kind.FORWARD, g, Epilogue.NONE, input, filter, output)) {
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
    final boolean done =
        epilogue.bias()
            ? run(type, Convolution.Kind.FORWARD, g, epilogue, input, filter, output, bias)
            : run(type, Convolution.Kind.FORWARD, g, epilogue, input, filter, output);
    if (!done) {
      super.convolution(type, g, epilogue, input, filter, bias, output);
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

  private static boolean suits(GemmGeometry g) {
    return g.type() == DataType.FLOAT && g.batch() > 0 && g.m() > 0 && g.n() > 0 && g.k() > 0;
  }

  private boolean run(
      DataType type, Convolution.Kind kind, ConvGeometry g, Epilogue epilogue, long... addresses) {
    final boolean empty =
        g.inputElements() == 0 || g.filterElements() == 0 || g.outputElements() == 0;
    return type == DataType.FLOAT && !empty && run(new Convolution(kind, g, epilogue), addresses);
  }

  private boolean run(MatrixProduct product, Epilogue epilogue, long a, long b, long bias, long c) {
    return epilogue.bias() ? run(product, a, b, c, bias) : run(product, a, b, c);
  }

  /** False where oneDNN has nothing for it. */
  private boolean run(ProgramCache.Recipe recipe, long... addresses) {
    // Before the program is made, too: the library cuts the work for this many threads then.
    OmpThreads.use(threads);
    return programs.run(recipe, addresses);
  }
}
