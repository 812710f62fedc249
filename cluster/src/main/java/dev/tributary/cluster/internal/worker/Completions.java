package dev.tributary.cluster.internal.worker;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.cluster.spec.TaskName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The tasks whose part of the job is done, and who waits for that. Guarded by its own monitor,
 * under which nobody is called.
 */
final class Completions {
  private record Wait(Set<TaskName> missing, CompletableFuture<Void> done) {}

  @GuardedBy("this")
  private final Set<TaskName> completed = new HashSet<>();

  @GuardedBy("this")
  private final List<Wait> waits = new ArrayList<>();

  void add(TaskName task) {
    List<Wait> over = new ArrayList<>();
    synchronized (this) {
      completed.add(task);
      waits.forEach(wait -> wait.missing().remove(task));
      waits.removeIf(wait -> wait.missing().isEmpty() && over.add(wait));
    }
    over.forEach(wait -> wait.done().complete(null));
  }

  /** Done when all these tasks are. */
  synchronized CompletableFuture<Void> when(Collection<TaskName> tasks) {
    Set<TaskName> missing = new HashSet<>(tasks);
    missing.removeAll(completed);
    CompletableFuture<Void> done = new CompletableFuture<>();
    if (missing.isEmpty()) {
      done.complete(null);
    } else {
      waits.add(new Wait(missing, done));
    }
    return done;
  }
}
