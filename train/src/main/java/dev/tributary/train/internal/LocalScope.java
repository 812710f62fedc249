package dev.tributary.train.internal;

import dev.tributary.graph.Scope;
import dev.tributary.ops.Ops;

/**
 * The scope of a process's own variables: the device on which it computes. A device function that
 * sends variables to parameter servers must not send these, since other processes would find them
 * there under the same names.
 */
public final class LocalScope {
  private LocalScope() {}

  /** This scope, with the device of plain operations for variables too. */
  public static Ops of(Ops tf) {
    Scope scope = tf.scope();
    return new Ops(scope.withoutDevice().withDevice(scope.plainDevice().toString()));
  }
}
