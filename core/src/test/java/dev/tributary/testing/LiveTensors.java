package dev.tributary.testing;

import dev.tributary.internal.memory.PooledAllocator;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What was live in an allocator at one moment, to be compared with what is live later. The
 * constants of a graph that nobody can reach are not leaked: the garbage collector gives them back.
 */
public final class LiveTensors {
  /**
   * How long a worker thread may take to let go of its last tensor after the test has its result,
   * on a machine that other tests use as well.
   */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** As often the garbage is collected: the rest may be constants of unreachable graphs. */
  private static final long COLLECT_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final PooledAllocator allocator;
  private final long buffers;
  private final Set<Throwable> sites = Collections.newSetFromMap(new IdentityHashMap<>());

  private LiveTensors(PooledAllocator allocator) {
    this.allocator = allocator;
    this.buffers = allocator.stats().liveBuffers();
    this.sites.addAll(allocator.live());
  }

  public static LiveTensors of(PooledAllocator allocator) {
    return new LiveTensors(allocator);
  }

  /** Fails if more is live now, with the sites of those that came since. */
  public void requireNoMore() {
    long start = System.nanoTime();
    long collected = start;
    while (allocator.stats().liveBuffers() > buffers && System.nanoTime() - start < GRACE_NANOS) {
      LockSupport.parkNanos(100_000);
      if (System.nanoTime() - collected > COLLECT_EVERY_NANOS) {
        System.gc();
        collected = System.nanoTime();
      }
    }
    long left = allocator.stats().liveBuffers() - buffers;
    if (left > 0) {
      throw new AssertionError(left + " tensors were not closed" + newSites());
    }
  }

  private String newSites() {
    List<Throwable> fresh =
        allocator.live().stream().filter(site -> !sites.contains(site)).toList();
    StringWriter text = new StringWriter();
    for (Throwable site : fresh) {
      text.append(System.lineSeparator());
      site.printStackTrace(new PrintWriter(text, true));
    }
    return text.toString();
  }
}
