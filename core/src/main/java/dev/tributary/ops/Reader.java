package dev.tributary.ops;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;

/**
 * A reader of a graph: it takes names of files from a queue, and gives their records one by one. A
 * step that reads waits, without holding a thread, while the queue is empty; OUT_OF_RANGE tells
 * that it is closed and all files are read. Immutable; made by {@link IoOps}.
 *
 * <pre>{@code
 * Reader reader = tf.io.textLineReader(1);
 * Reader.KeyValue line = reader.read(fileNames);
 * }</pre>
 */
public final class Reader {
  /** A record, or several, and keys that tell where they are from. */
  public record KeyValue(Output key, Output value) {}

  private final Scope scope;
  private final Output handle;

  Reader(Scope scope, Output handle) {
    this.scope = scope;
    this.handle = handle;
  }

  public Output handle() {
    return handle;
  }

  /** The next record. */
  public KeyValue read(Queue work) {
    Operation read = scope.operation("ReaderReadV2").input(handle).input(work.handle()).build();
    return new KeyValue(read.output(0), read.output(1));
  }

  /** As many records as wanted, or fewer at the end of a file. */
  public KeyValue readUpTo(Queue work, Operand count) {
    Operation read =
        scope.operation("ReaderReadUpToV2").input(handle).input(work.handle()).input(count).build();
    return new KeyValue(read.output(0), read.output(1));
  }

  public Output numRecordsProduced() {
    return scope.operation("ReaderNumRecordsProducedV2").input(handle).buildOutput();
  }

  public Output numWorkUnitsCompleted() {
    return scope.operation("ReaderNumWorkUnitsCompletedV2").input(handle).buildOutput();
  }

  /**
   * Returns how far it is, as a string for {@link #restoreState}. UNIMPLEMENTED, as in TensorFlow,
   * for readers that may be in the middle of a file.
   */
  public Output serializeState() {
    return scope.operation("ReaderSerializeStateV2").input(handle).buildOutput();
  }

  /** Goes on from where a reader was. */
  public Operation restoreState(Operand state) {
    return scope.operation("ReaderRestoreStateV2").input(handle).input(state).build();
  }

  /** Forgets the file it was at, and its counts. */
  public Operation reset() {
    return scope.operation("ReaderResetV2").input(handle).build();
  }
}
