package dev.tributary.optable;

import static dev.tributary.tensor.DataType.COMPLEX128;
import static dev.tributary.tensor.DataType.COMPLEX64;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The rows of the ops between complex and real numbers, and of Fourier transforms. */
final class ComplexOpRows {
  private static final String FLOATS_ONLY = "stock's native one makes floats of doubles";

  private ComplexOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>(parts());
    for (int rank = 1; rank <= 3; rank++) {
      rows.addAll(transforms(rank, rank == 1 ? "" : rank + "D"));
    }
    return rows;
  }

  private static List<OpRow> parts() {
    return List.of(
        OpRow.of("Complex")
            .example(
                () -> OpCall.of(Tensor.of(1f, 2f), Tensor.scalar(3f)).attr("Tout", COMPLEX64),
                Tensor.ofComplex(Shape.of(2), 1f, 3f, 2f, 3f))
            .types(FLOAT, DOUBLE)
            .draw(d -> Pairs.call(d, d::tensor, d::tensor).attr("Tout", spectrum(d.type())))
            .gradientOf(0, 1)
            .withoutStockGradient(FLOATS_ONLY),
        measure("Real", Tensor.of(3f, -5f)).withoutStockGradient(FLOATS_ONLY),
        measure("Imag", Tensor.of(4f, 0f)).withoutStockGradient(FLOATS_ONLY),
        measure("ComplexAbs", Tensor.of(5f, 5f)),
        measure("Angle", Tensor.of((float) Math.atan2(4, 3), (float) Math.PI))
            .withoutStockGradient(FLOATS_ONLY),
        OpRow.of("Conj")
            .example(
                () -> OpCall.of(Tensor.ofComplex(Shape.of(2), 3f, 4f, -5f, 0f)),
                Tensor.ofComplex(Shape.of(2), 3f, -4f, -5f, -0f))
            .types(COMPLEX64, COMPLEX128)
            .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))))
            .gradientOf(0));
  }

  /** A function of the numbers 3 + 4i and -5. */
  private static OpRow measure(String op, Tensor expected) {
    return OpRow.of(op)
        .example(
            () -> OpCall.of(Tensor.ofComplex(Shape.of(2), 3f, 4f, -5f, 0f)).attr("Tout", FLOAT),
            expected)
        .types(COMPLEX64, COMPLEX128)
        .draw(d -> OpCall.of(d.tensor(d.shape(0, 4))).attr("Tout", signal(d.type())))
        .gradientOf(0);
  }

  private static List<OpRow> transforms(int rank, String suffix) {
    Shape single = Shape.of(1, 1, 4).slice(3 - rank, 3);
    Shape half = single.withSize(rank - 1, 3);
    Tensor lengths = lengths(single.toArray());
    return List.of(
        complex("FFT" + suffix, rank)
            .types(COMPLEX64, COMPLEX128)
            .gradientOf(0)
            .example(
                () -> OpCall.of(Tensor.ofComplex(single, 1f, 0f, 0f, 1f, -1f, 0f, 0f, 0f)),
                Tensor.ofComplex(single, 0f, 1f, 3f, 0f, 0f, -1f, 1f, 0f)),
        complex("IFFT" + suffix, rank)
            .types(COMPLEX64, COMPLEX128)
            .gradientOf(0)
            .example(
                () -> OpCall.of(Tensor.ofComplex(single, 0f, 1f, 3f, 0f, 0f, -1f, 1f, 0f)),
                Tensor.ofComplex(single, 1f, 0f, 0f, 1f, -1f, 0f, 0f, 0f)),
        differentiable(real("RFFT" + suffix, rank, false), rank)
            .types(FLOAT, DOUBLE)
            .example(
                () ->
                    OpCall.of(Tensor.of(single, 1f, 2f, 3f, 4f))
                        .constant(lengths.retain())
                        .attr("Tcomplex", COMPLEX64),
                Tensor.ofComplex(half, 10f, 0f, -2f, 2f, -2f, 0f)),
        differentiable(real("IRFFT" + suffix, rank, true), rank)
            .types(COMPLEX64, COMPLEX128)
            .example(
                () ->
                    OpCall.of(Tensor.ofComplex(half, 10f, 0f, -2f, 2f, -2f, 0f))
                        .constant(lengths.retain())
                        .attr("Treal", FLOAT),
                Tensor.of(single, 1f, 2f, 3f, 4f)),
        complex("BatchFFT" + suffix, rank)
            .types(COMPLEX64)
            .shapeDependsOnValues()
            .withoutStock("a graph of today's version must not have it")
            .example(
                () -> OpCall.of(Tensor.ofComplex(single, 1f, 0f, 0f, 1f, -1f, 0f, 0f, 0f)),
                Tensor.ofComplex(single, 0f, 1f, 3f, 0f, 0f, -1f, 1f, 0f)),
        complex("BatchIFFT" + suffix, rank)
            .types(COMPLEX64)
            .shapeDependsOnValues()
            .withoutStock("a graph of today's version must not have it")
            .example(
                () -> OpCall.of(Tensor.ofComplex(single, 0f, 1f, 3f, 0f, 0f, -1f, 1f, 0f)),
                Tensor.ofComplex(single, 1f, 0f, 0f, 1f, -1f, 0f, 0f, 0f)));
  }

  private static OpRow complex(String op, int rank) {
    return OpRow.of(op)
        .without(Draw.Size.SCALAR, "a transform is over a dimension")
        .draw(d -> OpCall.of(d.tensor(shape(d, drawnLengths(d, rank), 0))));
  }

  /** Some signals are longer than what is transformed of them. */
  private static OpRow real(String op, int rank, boolean inverse) {
    return OpRow.of(op)
        .without(Draw.Size.SCALAR, "a transform is over a dimension")
        .draw(
            d -> {
              long[] lengths = drawnLengths(d, rank);
              long[] sizes = lengths.clone();
              if (inverse) {
                sizes[rank - 1] = sizes[rank - 1] / 2 + 1;
              }
              OpCall call = OpCall.of(d.tensor(shape(d, sizes, 2))).constant(lengths(lengths));
              return inverse
                  ? call.attr("Treal", signal(d.type()))
                  : call.attr("Tcomplex", spectrum(d.type()));
            });
  }

  private static OpRow differentiable(OpRow row, int rank) {
    return rank < 3 ? row.gradientOf(0) : row;
  }

  /** Lengths of all kinds: powers of two, products of small primes, great primes. */
  private static long[] drawnLengths(Draw d, int rank) {
    long[] lengths = new long[rank];
    for (int i = 0; i < rank; i++) {
      lengths[i] = rank == 1 ? d.integer(1, 40) : d.integer(1, 6);
    }
    if (rank == 2 && d.flip()) {
      lengths[d.integer(0, 1)] = 17;
    }
    return lengths;
  }

  /** A batch of signals, or none, each dimension of which is longer by up to {@code more}. */
  private static Shape shape(Draw d, long[] sizes, int more) {
    long[] longer = sizes.clone();
    for (int i = 0; i < longer.length; i++) {
      longer[i] += d.integer(0, more);
    }
    Shape signals = Shape.of(longer);
    if (d.size() == Draw.Size.EMPTY) {
      return Shape.of(0).concatenate(signals);
    }
    return d.flip() ? signals : Shape.of(d.integer(1, 3)).concatenate(signals);
  }

  private static Tensor lengths(long[] lengths) {
    return ArrayDraws.vector(DataType.INT32, lengths);
  }

  private static DataType spectrum(DataType signal) {
    return signal == DOUBLE ? COMPLEX128 : COMPLEX64;
  }

  private static DataType signal(DataType spectrum) {
    return spectrum == COMPLEX128 ? DOUBLE : FLOAT;
  }
}
