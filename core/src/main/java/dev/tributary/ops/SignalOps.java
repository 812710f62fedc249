package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.math.FourierKernel;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.KnownValue;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fourier transforms over the last one, two or three dimensions. Those of real signals are given
 * the length to transform; the spectrum of n real numbers has n / 2 + 1 complex ones.
 */
public final class SignalOps {
  private static final String TCOMPLEX = "Tcomplex: {complex64, complex128} = complex64";

  /** The graph version from which on the transforms named after batches are deprecated. */
  private static final int BATCHES_WITHDRAWN = 15;

  private final Scope scope;

  SignalOps(Scope scope) {
    this.scope = scope;
  }

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    for (int rank = 1; rank <= 3; rank++) {
      all.addAll(ofRank(rank));
    }
    return all;
  }

  private static List<OpDeclaration> ofRank(int rank) {
    Declaration toHalf =
        op(named("RFFT", rank))
            .input("input: Treal")
            .input("fft_length: int32")
            .output("output: Tcomplex")
            .attr("Treal: {float, double} = float")
            .attr(TCOMPLEX)
            .shape(c -> realShape(c, rank, true))
            .kernel(FourierKernel.forward(rank));
    Declaration ofHalf =
        op(named("IRFFT", rank))
            .input("input: Tcomplex")
            .input("fft_length: int32")
            .output("output: Treal")
            .attr("Treal: {float, double} = float")
            .attr(TCOMPLEX)
            .shape(c -> realShape(c, rank, false))
            .kernel(FourierKernel.inverse(rank));
    // TensorFlow differentiates transforms of real signals in one and two dimensions only.
    boolean differentiable = rank < 3;
    return List.of(
        op(named("FFT", rank))
            .input("input: Tcomplex")
            .output("output: Tcomplex")
            .attr(TCOMPLEX)
            .shape(c -> c.output(0, c.withRankAtLeast(0, rank)))
            .kernel(FourierKernel.forward(rank))
            .grad(
                (tf, op, dy) ->
                    List.of(tf.mul(tf.signal.complex("IFFT", rank, dy), size(tf, dy, rank)))),
        op(named("IFFT", rank))
            .input("input: Tcomplex")
            .output("output: Tcomplex")
            .attr(TCOMPLEX)
            .shape(c -> c.output(0, c.withRankAtLeast(0, rank)))
            .kernel(FourierKernel.inverse(rank))
            .grad(
                (tf, op, dy) ->
                    List.of(tf.div(tf.signal.complex("FFT", rank, dy), size(tf, dy, rank)))),
        differentiable
            ? toHalf.grad((tf, op, dy) -> ofSpectrum(tf, op, dy, rank))
            : toHalf.notDifferentiable(),
        differentiable
            ? ofHalf.grad((tf, op, dy) -> ofSignal(tf, op, dy, rank))
            : ofHalf.notDifferentiable(),
        batch(named("FFT", rank)).kernel(FourierKernel.forward(rank)).notDifferentiable(),
        batch(named("IFFT", rank)).kernel(FourierKernel.inverse(rank)).notDifferentiable());
  }

  private static String named(String op, int rank) {
    return rank == 1 ? op : op + rank + "D";
  }

  /** An old name of a transform. */
  private static Declaration batch(String name) {
    return op("Batch" + name)
        .input("input: complex64")
        .output("output: complex64")
        .deprecated(BATCHES_WITHDRAWN, "Use " + name)
        .shape(c -> c.output(0, Shape.unknown()));
  }

  private static void realShape(InferenceContext context, int rank, boolean toHalf) {
    Shape input = context.withRankAtLeast(0, rank);
    Shape given = context.withRank(1, 1);
    if (given.size(0) != Shape.UNKNOWN && given.size(0) != rank) {
      throw TributaryException.invalidArgument(
          "fft_length must have shape [%d], got %s", rank, given);
    }
    if (!input.hasRank()) {
      return;
    }
    Optional<KnownValue> lengths = context.known(1);
    Shape output = input;
    for (int i = 0; i < rank; i++) {
      long length = lengths.isPresent() ? lengths.get().elements()[i] : KnownValue.UNKNOWN;
      if (length < 0 && length != KnownValue.UNKNOWN) {
        throw TributaryException.invalidArgument(
            "fft_length[%d] must be at least 0, got %d", i, length);
      }
      long known = length == KnownValue.UNKNOWN ? Shape.UNKNOWN : length;
      boolean half = toHalf && i == rank - 1 && length > 0;
      output = output.withSize(input.rank() - rank + i, half ? known / 2 + 1 : known);
    }
    context.output(0, output);
  }

  // ---- gradients ----

  /**
   * The spectrum's gradient counts each pair of conjugates once, the way back counts it twice: so
   * what has a conjugate is halved. What was cut off the signal gets zeros.
   */
  private static List<GradientValue> ofSpectrum(Ops tf, Operation op, Output dy, int rank) {
    Output lengths = op.input(1);
    Output halved = tf.div(dy, tf.cast(occurrences(tf, dy, lengths, rank), dy.type()));
    Output signal = tf.signal.real("IRFFT", rank, halved, lengths);
    Output whole = tf.mul(signal, tf.cast(tf.prod(lengths, 0), signal.type()));
    return List.of(padded(tf, whole, tf.shape(op.input(0))), GradientValue.none());
  }

  /** The other way round: what has a conjugate is doubled. */
  private static List<GradientValue> ofSignal(Ops tf, Operation op, Output dy, int rank) {
    Output lengths = op.input(1);
    Output spectrum = tf.signal.real("RFFT", rank, dy, lengths);
    Output factors = tf.cast(occurrences(tf, spectrum, lengths, rank), spectrum.type());
    Output doubled = tf.mul(spectrum, factors);
    Output scaled = tf.div(doubled, tf.cast(tf.prod(lengths, 0), spectrum.type()));
    return List.of(padded(tf, scaled, tf.shape(op.input(0))), GradientValue.none());
  }

  /**
   * Returns how often each element of half a spectrum's row is in the whole: twice but for the
   * first one, and the middle one of an even length.
   */
  private static Output occurrences(Ops tf, Output spectrum, Output lengths, int rank) {
    Output zero = tf.constant(0);
    Output count = tf.gather(tf.shape(spectrum), tf.sub(tf.array.rank(spectrum), tf.constant(1)));
    Output place = tf.range(zero, count, tf.constant(1));
    Output length = tf.gather(lengths, tf.constant(rank - 1));
    Output alone =
        tf.logicalOr(tf.equal(place, zero), tf.equal(tf.mul(place, tf.constant(2)), length));
    return tf.where(alone, tf.constant(1), tf.constant(2));
  }

  /** Zeros behind each dimension, up to the given sizes. */
  private static Output padded(Ops tf, Output x, Output shape) {
    Output behind = tf.sub(shape, tf.shape(x));
    return tf.array.pad(x, tf.array.pack(List.of(tf.zerosLike(behind), behind), 1));
  }

  /** The number of elements that a transform is over, as a number of the gradient's type. */
  private static Output size(Ops tf, Output dy, int rank) {
    Output sizes = tf.shape(dy);
    Output last = tf.range(tf.constant(-rank), tf.constant(0), tf.constant(1));
    Output places = tf.add(last, tf.array.rank(dy));
    return tf.cast(tf.prod(tf.gather(sizes, places), 0), dy.type());
  }

  // ---- client methods ----

  /** The spectrum of complex numbers, over the last dimension. */
  public Output fft(Operand x) {
    return complex("FFT", 1, x);
  }

  /** The numbers that have this spectrum, over the last dimension. */
  public Output ifft(Operand x) {
    return complex("IFFT", 1, x);
  }

  /** The spectrum of complex numbers, over the last two dimensions. */
  public Output fft2d(Operand x) {
    return complex("FFT", 2, x);
  }

  /** The numbers that have this spectrum, over the last two dimensions. */
  public Output ifft2d(Operand x) {
    return complex("IFFT", 2, x);
  }

  /** The spectrum of complex numbers, over the last three dimensions. */
  public Output fft3d(Operand x) {
    return complex("FFT", 3, x);
  }

  /** The numbers that have this spectrum, over the last three dimensions. */
  public Output ifft3d(Operand x) {
    return complex("IFFT", 3, x);
  }

  /**
   * The first half of the spectrum of real numbers, over the last dimension.
   *
   * @param fftLength a vector of one int32: how many numbers are transformed. A longer signal is
   *     cut, a shorter one is an error; {@code tf.array.pad} makes it longer.
   */
  public Output rfft(Operand x, Operand fftLength) {
    return real("RFFT", 1, x, fftLength);
  }

  /** The real numbers that have this half of a spectrum; see {@link #rfft} for the length. */
  public Output irfft(Operand x, Operand fftLength) {
    return real("IRFFT", 1, x, fftLength);
  }

  /** The same as {@link #rfft} over the last two dimensions, with two lengths. */
  public Output rfft2d(Operand x, Operand fftLength) {
    return real("RFFT", 2, x, fftLength);
  }

  /** The same as {@link #irfft} over the last two dimensions, with two lengths. */
  public Output irfft2d(Operand x, Operand fftLength) {
    return real("IRFFT", 2, x, fftLength);
  }

  /** The same as {@link #rfft} over the last three dimensions, with three lengths. */
  public Output rfft3d(Operand x, Operand fftLength) {
    return real("RFFT", 3, x, fftLength);
  }

  /** The same as {@link #irfft} over the last three dimensions, with three lengths. */
  public Output irfft3d(Operand x, Operand fftLength) {
    return real("IRFFT", 3, x, fftLength);
  }

  private Output complex(String op, int rank, Operand x) {
    return scope.operation(named(op, rank)).input(x).buildOutput();
  }

  private Output real(String op, int rank, Operand x, Operand lengths) {
    DataType type = x.asOutput().type();
    boolean wide = type == DataType.DOUBLE || type == DataType.COMPLEX128;
    return scope
        .operation(named(op, rank))
        .input(x)
        .input(lengths)
        .attr("Treal", wide ? DataType.DOUBLE : DataType.FLOAT)
        .attr("Tcomplex", wide ? DataType.COMPLEX128 : DataType.COMPLEX64)
        .buildOutput();
  }
}
