package dev.tributary.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The threads of this runtime at one moment, and the files of a folder that are open. */
public final class HeldThreads {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Set<Thread> before = threads();

  private HeldThreads() {}

  public static HeldThreads now() {
    return new HeldThreads();
  }

  /** Waits until there are no other threads, and fails if some stay. */
  public void requireNoMore() {
    await(() -> before.containsAll(threads()));
    Set<Thread> more = new HashSet<>(threads());
    more.removeAll(before);
    if (!more.isEmpty()) {
      throw new AssertionError("threads that stay: " + more);
    }
  }

  /** Waits until no file of a folder is open, and fails if some stay. */
  public static void requireNoOpenFile(Path folder) {
    await(() -> openFiles(folder).isEmpty());
    Set<Path> open = openFiles(folder);
    if (!open.isEmpty()) {
      throw new AssertionError("files that stay open: " + open);
    }
  }

  private static void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean() && System.nanoTime() - start < LIMIT_NANOS) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  /** Without those that all sessions of the process share. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tributary"))
        .filter(thread -> !thread.getName().startsWith("tributary process"))
        .collect(Collectors.toSet());
  }

  /** The open files of a folder; none on systems that do not tell. */
  public static Set<Path> openFiles(Path folder) {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return Set.of();
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.map(HeldThreads::target)
          .filter(file -> file.startsWith(folder))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      return descriptor; // Closed meanwhile.
    }
  }
}
