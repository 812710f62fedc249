package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.tensor.Tensor;

/**
 * Elements that a function makes. One function begins a pass and returns its state, the second one
 * is called with the state for each element until it fails with OUT_OF_RANGE, and the third one
 * ends the pass, wherever it is.
 */
final class GeneratorIterator extends SerialIterator {
  /** The call that is under way. */
  private enum Call {
    BEGINNING,
    ELEMENT,
    ENDING
  }

  private final StageFunction init;
  private final StageFunction next;
  private final StageFunction finish;
  private Call call;
  private Tensor[] state;
  private boolean ended;

  GeneratorIterator(
      IteratorContext context, StageFunction init, StageFunction next, StageFunction finish) {
    super(context);
    this.init = init;
    this.next = next;
    this.finish = finish;
  }

  @Override
  void onNext() {
    if (ended) {
      emitEnd();
    } else if (state == null) {
      call = Call.BEGINNING;
      call(init);
    } else {
      call = Call.ELEMENT;
      call(next, state);
    }
  }

  @Override
  void onElement(Tensor[] components) {
    throw new IllegalStateException("a generator has no input");
  }

  @Override
  void onResults(Tensor[] results) {
    switch (call) {
      case BEGINNING -> {
        state = results;
        call = Call.ELEMENT;
        call(next, state);
      }
      case ELEMENT -> emit(results);
      case ENDING -> {
        Elements.close(results);
        dropState();
        emitEnd();
      }
    }
  }

  @Override
  void onFailure(RuntimeException failure) {
    switch (call) {
      case BEGINNING -> emitFailure(MapIterator.named(init, failure));
      case ELEMENT -> {
        if (MapIterator.isOutOfRange(failure)) {
          ended = true;
          call = Call.ENDING;
          call(finish, state);
        } else {
          emitFailure(MapIterator.named(next, failure));
        }
      }
      case ENDING -> {
        dropState();
        emitFailure(MapIterator.named(finish, failure));
      }
    }
  }

  @Override
  public void save(StateWriter writer) {
    throw cannotBeSaved();
  }

  @Override
  public void restore(StateReader reader) {
    throw cannotBeSaved();
  }

  /** As in TensorFlow. */
  private TributaryException cannotBeSaved() {
    return TributaryException.failedPrecondition(
        "%s: where a generator is cannot be saved, since its state is the program's: read files, or"
            + " skip the elements that were used",
        next.stage());
  }

  private void dropState() {
    Tensor[] done = state;
    state = null;
    Elements.close(done);
  }

  /** Ends a pass in the middle. The end may take longer than this. */
  @Override
  public void close() {
    if (state == null) {
      return;
    }
    finish.enter();
    context().backgroundBegins();
    finish.call(
        new Cancellation(),
        new CapturedFunction.Completion() {
          @Override
          public void succeed(Tensor[] results) {
            Elements.close(results);
            end();
          }

          @Override
          public void fail(RuntimeException failure) {
            end(); // Nobody waits for the pass, and so for its failure.
          }

          private void end() {
            dropState();
            finish.leave();
            context().backgroundEnds();
          }
        },
        state);
  }
}
