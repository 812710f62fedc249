package dev.tributary.internal.kernel.accumulator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.math.Arithmetic;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Optional;

/** Adds up whole tensors. */
final class DenseAccumulator extends ConditionalAccumulator {
  private static final int GRADIENT = 2;

  private Optional<Tensor> sum = Optional.empty();

  DenseAccumulator(String name, AccumulatorSpec spec) {
    super(name, spec);
  }

  @Override
  void add(KernelContext call) {
    Tensor gradient = call.input(GRADIENT);
    Shape wanted = sum.map(Tensor::shape).orElse(spec().shape());
    if (!wanted.isCompatibleWith(gradient.shape())) {
      throw TributaryException.invalidArgument(
          "Shape mismatch: expected %s, got %s", wanted, gradient.shape());
    }
    if (sum.isEmpty()) {
      sum = Optional.of(gradient.retain());
      return;
    }
    Tensor old = sum.get();
    // The first gradient may still be in use elsewhere; later sums are the accumulator's own.
    boolean inPlace = old.isExclusive();
    Tensor target = inPlace ? old : call.allocate(old.type(), old.shape());
    call.device()
        .backend()
        .elementWise(
            Arithmetic.ADD,
            old.type(),
            Broadcast.of(old.shape(), old.shape()),
            old.storage().address(),
            gradient.storage().address(),
            target.storage().address());
    if (!inPlace) {
      old.close();
      sum = Optional.of(target);
    }
  }

  @Override
  public long heldBytes() {
    return sum.map(Tensor::byteSize).orElse(0L);
  }

  @Override
  AccumulatedGradient takeSum(int gradients) {
    Tensor all = sum.orElseThrow();
    sum = Optional.empty();
    return new Sum(all, spec().isMean() ? gradients : 1);
  }

  @Override
  void release() {
    sum.ifPresent(Tensor::close);
    sum = Optional.empty();
  }

  private record Sum(Tensor total, int divisor) implements AccumulatedGradient {
    @Override
    public void deliver(KernelContext call) {
      if (divisor == 1) {
        call.setOutput(0, total.retain());
        return;
      }
      Tensor mean =
          total.isExclusive() ? total.retain() : call.allocate(total.type(), total.shape());
      call.setOutput(0, mean);
      Division.divide(call, total, new int[] {divisor}, Shape.scalar(), mean);
    }

    @Override
    public void close() {
      total.close();
    }
  }
}
