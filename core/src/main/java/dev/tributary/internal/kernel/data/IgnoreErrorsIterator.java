package dev.tributary.internal.kernel.data;

import dev.tributary.tensor.Tensor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The elements of the input without those that failed, of which the log has the first. */
final class IgnoreErrorsIterator extends SerialIterator {
  private static final Logger LOG = LoggerFactory.getLogger(IgnoreErrorsIterator.class);

  /** A message may be as long as whatever a caller has put into it. */
  private static final int LONGEST_LINE = 500;

  private final ElementIterator input;
  private final boolean logs;
  private long ignored;

  IgnoreErrorsIterator(IteratorContext context, ElementIterator input, boolean logs) {
    super(context);
    this.input = input;
    this.logs = logs;
  }

  @Override
  void onNext() {
    pull(input);
  }

  @Override
  void onElement(Tensor[] components) {
    emit(components);
  }

  @Override
  void onFailure(RuntimeException failure) {
    if (context().cancellation().isCancelled()) {
      emitFailure(failure);
      return;
    }
    if (logs && ignored == 0) {
      String message = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
      LOG.warn(
          "dataset element ignored: {}",
          message.substring(0, Math.min(LONGEST_LINE, message.length())));
    }
    ignored++;
    pull(input);
  }

  @Override
  public void save(StateWriter writer) {
    input.save(writer);
  }

  @Override
  public void restore(StateReader reader) {
    input.restore(reader);
  }

  @Override
  public void close() {
    if (logs && ignored > 1) {
      LOG.warn("{} dataset elements ignored in one pass", ignored);
    }
    input.close();
  }
}
