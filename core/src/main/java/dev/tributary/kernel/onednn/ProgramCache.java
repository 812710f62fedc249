package dev.tributary.kernel.onednn;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Programs by what they compute, the most recently used ones. Making one takes up to some
 * milliseconds, in which native code is written. Thread-safe.
 */
final class ProgramCache {
  /** What a program computes; equal recipes make equal programs. */
  interface Recipe {
    /** Fails with UNIMPLEMENTED where oneDNN has nothing good for it. */
    ProgramBuilder prepare();
  }

  private final int capacity;
  private final ScratchPool scratch = new ScratchPool();

  // Guarded by this. An empty value: oneDNN has nothing for it.
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

  synchronized int size() {
    return programs.size();
  }

  private synchronized Program hold(Recipe recipe) {
    Optional<Program> program = programs.get(recipe);
    if (program == null) {
      program = make(recipe);
      programs.put(recipe, program);
      if (programs.size() > capacity) {
        dropEldest();
      }
    }
    // Under the lock, so that it is not dropped and freed before it runs.
    program.ifPresent(Program::hold);
    return program.orElse(null);
  }

  private void dropEldest() {
    final Map.Entry<Recipe, Optional<Program>> eldest = programs.entrySet().iterator().next();
    programs.remove(eldest.getKey());
    eldest.getValue().ifPresent(Program::close);
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
