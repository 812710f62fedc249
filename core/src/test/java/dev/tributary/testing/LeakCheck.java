package dev.tributary.testing;

import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.PooledAllocator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Turns on tracking in the shared allocator for the time of a test, and looks afterwards what is
 * still live.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  @Override
  public void beforeEach(ExtensionContext context) {
    PooledAllocator shared = Allocator.shared();
    shared.track(true);
    context.getStore(NAMESPACE).put(LiveTensors.class, LiveTensors.of(shared));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    LiveTensors before = context.getStore(NAMESPACE).remove(LiveTensors.class, LiveTensors.class);
    Allocator.shared().track(false);
    before.requireNoMore();
  }
}
