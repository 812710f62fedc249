package dev.tributary.internal.memory;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** The system's own allocator, which keeps much of what it is given back. */
final class NativeHeap {
  private NativeHeap() {}

  /** Has it give free memory to the system, where the virtual machine has a command for that. */
  static void trim() {
    try {
      ManagementFactory.getPlatformMBeanServer()
          .invoke(
              new ObjectName("com.sun.management:type=DiagnosticCommand"),
              "systemTrimNativeHeap",
              null,
              null);
    } catch (JMException e) {
      // Older ones, and those of other systems, do without.
    }
  }
}
