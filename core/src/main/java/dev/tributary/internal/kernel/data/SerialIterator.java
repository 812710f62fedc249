package dev.tributary.internal.kernel.data;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileTask;
import dev.tributary.internal.kernel.CapturedFunction;
import dev.tributary.internal.memory.ElementHeap;
import dev.tributary.tensor.Tensor;
import java.util.List;

/**
 * A stage that does one thing at a time: it answers its consumer, asks an input for an element, or
 * calls a function. Each of the {@code on...} methods ends with exactly one of these actions:
 * {@link #emit}, {@link #emitEnd}, {@link #emitFailure}, {@link #pull}, {@link #call}, {@link
 * #callFiles}. A failure that one throws before its action is the answer to the consumer. Confined
 * to whichever thread has its turn.
 */
abstract class SerialIterator implements ElementIterator {
  private enum Event {
    NEXT,
    ELEMENT,
    END,
    FAILURE,
    RESULTS,
    FILES
  }

  private final IteratorContext context;
  private final Turns turns;

  private final ElementReceiver fromInput =
      new ElementReceiver() {
        @Override
        public void element(Tensor[] components) {
          signal(Event.ELEMENT, components, null);
        }

        @Override
        public void end() {
          signal(Event.END, null, null);
        }

        @Override
        public void failure(RuntimeException failure) {
          signal(Event.FAILURE, null, failure);
        }
      };

  private final CapturedFunction.Completion fromFunction =
      new CapturedFunction.Completion() {
        @Override
        public void succeed(Tensor[] results) {
          signal(Event.RESULTS, results, null);
        }

        @Override
        public void fail(RuntimeException failure) {
          signal(Event.FAILURE, null, failure);
        }
      };

  private ElementReceiver consumer;
  private Event event;
  private Tensor[] values;
  private RuntimeException problem;

  SerialIterator(IteratorContext context) {
    this.context = context;
    this.turns = new Turns(context::executeInBackground, this::handle);
  }

  final IteratorContext context() {
    return context;
  }

  @Override
  public final void next(ElementReceiver receiver) {
    consumer = receiver;
    signal(Event.NEXT, null, null);
  }

  // ---- events ----

  /** The consumer asks for an element. */
  abstract void onNext();

  /** An input has given an element, which belongs to this stage now. */
  abstract void onElement(Tensor[] components);

  /** An input has no more elements. */
  void onEnd() {
    emitEnd();
  }

  /** An input or a function has failed. */
  void onFailure(RuntimeException failure) {
    emitFailure(failure);
  }

  /** A function has these results, which belong to this stage now. */
  void onResults(Tensor[] results) {
    throw new IllegalStateException("this stage calls no function");
  }

  // ---- buffers ----

  /** Counts an element that goes to a buffer; closes it and fails if there is no heap for it. */
  final void keep(Tensor[] components) {
    try {
      context.heap().take(ElementHeap.ofElement(components.length), "an element in a buffer");
    } catch (RuntimeException e) {
      Elements.close(components);
      throw e;
    }
  }

  /** Counts an element of a buffer no more, and returns it. */
  final Tensor[] unkept(Tensor[] components) {
    context.heap().giveBack(ElementHeap.ofElement(components.length));
    return components;
  }

  /** The same for elements that were saved. */
  final List<Tensor[]> keptAll(List<Tensor[]> elements) {
    int kept = 0;
    try {
      for (Tensor[] element : elements) {
        context.heap().take(ElementHeap.ofElement(element.length), "a saved element in a buffer");
        kept++;
      }
      return elements;
    } catch (RuntimeException e) {
      elements.subList(0, kept).forEach(this::unkept);
      Elements.close(elements);
      throw e;
    }
  }

  /** Closes elements of a buffer, which is empty then. */
  final void dropAll(List<Tensor[]> elements) {
    elements.forEach(this::unkept);
    Elements.close(elements);
  }

  // ---- files ----

  /** Work on files has ended. */
  void onFilesDone() {
    throw new IllegalStateException("this stage uses no files");
  }

  // ---- actions ----

  final void emit(Tensor... components) {
    consumer.element(components);
  }

  final void emitEnd() {
    consumer.end();
  }

  final void emitFailure(RuntimeException failure) {
    consumer.failure(failure);
  }

  final void pull(ElementIterator input) {
    if (context.cancellation().isCancelled()) {
      signal(Event.FAILURE, null, context.cancellation().reason().orElseThrow());
      return;
    }
    input.next(fromInput);
  }

  /** Calls a function; the arguments stay this stage's own. */
  final void call(ElementFunction function, Tensor... arguments) {
    function.call(context.cancellation(), fromFunction, arguments);
  }

  /** Reads or writes files on a file thread; the pool goes on behind it. */
  final void callFiles(String stage, Runnable work) {
    context.backgroundBegins();
    Runnable onFileThread =
        () -> {
          RuntimeException problem = null;
          try {
            work.run();
          } catch (RuntimeException e) {
            problem = e instanceof TributaryException known ? known.at(stage) : e;
          }
          RuntimeException failed = problem;
          context.execute(() -> filesEnd(failed));
        };
    try {
      context.device().fileThreads().begin(new FileTask(stage, false, onFileThread));
    } catch (RuntimeException e) {
      filesEnd(e);
    }
  }

  private void filesEnd(RuntimeException failure) {
    try {
      signal(failure == null ? Event.FILES : Event.FAILURE, null, failure);
    } finally {
      context.backgroundEnds();
    }
  }

  /** A failure of this stage, with its name in front. */
  private RuntimeException located(RuntimeException failure) {
    String stage = context.counters().stage();
    return failure instanceof TributaryException known && !known.getMessage().contains(stage)
        ? known.at(stage)
        : failure;
  }

  private void signal(Event kind, Tensor[] components, RuntimeException failure) {
    event = kind;
    values = components;
    problem = failure;
    turns.take();
  }

  private void handle() {
    Tensor[] components = values;
    RuntimeException failure = problem;
    values = null;
    problem = null;
    try {
      switch (event) {
        case NEXT -> onNext();
        case ELEMENT -> onElement(components);
        case END -> onEnd();
        case FAILURE -> onFailure(failure);
        case RESULTS -> onResults(components);
        case FILES -> onFilesDone();
      }
    } catch (RuntimeException e) {
      emitFailure(located(e));
    } catch (OutOfMemoryError e) {
      emitFailure(new TributaryException(ErrorCode.RESOURCE_EXHAUSTED, e.toString(), e));
    }
  }
}
