package dev.tributary.internal.kernel.onednn;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Programs by what they compute, the most recently used ones. Making one takes up to some
 * milliseconds, in which native code is written; other threads go on meanwhile. Thread-safe.
 */
final class ProgramCache {
  /** The computation of a program; equal recipes make equal programs. */
  interface Recipe {
    /** Fails with UNIMPLEMENTED where oneDNN has nothing good for it. */
    ProgramBuilder prepare();
  }

  private final int capacity;
  private final ScratchPool scratch = new ScratchPool();

  // An empty value: oneDNN has nothing for it.
  @GuardedBy("this")
  private final LinkedHashMap<Recipe, Optional<Program>> programs =
      new LinkedHashMap<>(16, 0.75f, true);

  ProgramCache(int capacity) {
    this.capacity = capacity;
  }

  /** Runs a recipe on the tensors at {@code addresses}; false if oneDNN has nothing for it. */
  boolean run(Recipe recipe, long... addresses) {
    final Program program = hold(recipe);
    if (program == null) {
      return false;
    }
    program.runHeld(addresses);
    return true;
  }

  /**
   * The bytes of a tensor of a recipe's program, for a layout that the library chose; empty if
   * oneDNN has nothing for the recipe.
   */
  OptionalLong bytes(Recipe recipe, int tensor) {
    final Program program = hold(recipe);
    return program == null ? OptionalLong.empty() : OptionalLong.of(program.bytesHeld(tensor));
  }

  synchronized int size() {
    return programs.size();
  }

  /** The program for a recipe, held for one run; null if there is none. */
  private Program hold(Recipe recipe) {
    synchronized (this) {
      final Optional<Program> known = programs.get(recipe);
      if (known != null) {
        // Under the lock, so that it is not dropped and freed before it runs.
        known.ifPresent(Program::hold);
        return known.orElse(null);
      }
    }
    return keep(recipe, make(recipe));
  }

  /**
   * Holds a new program and keeps it for the next call, unless another thread made one for the same
   * recipe meanwhile.
   */
  private Program keep(Recipe recipe, Optional<Program> made) {
    final Optional<Program> program;
    final Optional<Program> superfluous;
    synchronized (this) {
      final Optional<Program> first = programs.putIfAbsent(recipe, made);
      program = first == null ? made : first;
      program.ifPresent(Program::hold);
      superfluous = first == null ? dropEldest() : made;
    }
    superfluous.ifPresent(Program::close);
    return program.orElse(null);
  }

  /** Takes out what was not used for longest, if there are too many. */
  @GuardedBy("this")
  private Optional<Program> dropEldest() {
    if (programs.size() <= capacity) {
      return Optional.empty();
    }
    final Map.Entry<Recipe, Optional<Program>> eldest = programs.entrySet().iterator().next();
    programs.remove(eldest.getKey());
    return eldest.getValue();
  }

  private Optional<Program> make(Recipe recipe) {
    try {
      return Optional.of(recipe.prepare().build(scratch));
    } catch (TributaryException e) {
      if (e.code() != ErrorCode.UNIMPLEMENTED) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
