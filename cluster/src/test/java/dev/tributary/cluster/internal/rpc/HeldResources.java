package dev.tributary.cluster.internal.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process has of the system: threads of ours, sockets and shared memory. The virtual
 * machine's own come and go.
 *
 * @param threads by name
 * @param sockets how many are open; 0 on systems that do not tell
 * @param segments files of shared memory that have a name, or that are mapped
 */
record HeldResources(Set<String> threads, int sockets, Set<String> segments) {
  private static final long LIMIT_SECONDS = 30;

  static HeldResources now() throws IOException {
    return new HeldResources(
        Thread.getAllStackTraces().keySet().stream()
            .map(Thread::getName)
            .filter(name -> name.startsWith("tributary-"))
            .collect(Collectors.toCollection(TreeSet::new)),
        openSockets(),
        sharedMemory());
  }

  /** Waits until there is no more than this. */
  void awaitNoMore() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    HeldResources now = now();
    while (!isNoMore(now) && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      now = now();
    }
    assertThat(isNoMore(now)).as("before: %s, now: %s", this, now).isTrue();
  }

  private boolean isNoMore(HeldResources now) {
    return threads.containsAll(now.threads)
        && now.sockets <= sockets
        && segments.containsAll(now.segments);
  }

  private static int openSockets() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return 0;
    }
    int sockets = 0;
    try (Stream<Path> open = Files.list(descriptors)) {
      for (Path descriptor : open.toList()) {
        sockets += isSocket(descriptor) ? 1 : 0;
      }
    }
    return sockets;
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // Closed meanwhile.
    }
  }

  private static Set<String> sharedMemory() throws IOException {
    Path maps = Path.of("/proc/self/maps");
    if (!Files.exists(maps)) {
      return Set.of();
    }
    try (Stream<String> lines = Files.lines(maps)) {
      return lines.filter(line -> line.contains("/dev/shm/tributary-")).collect(Collectors.toSet());
    }
  }
}
