package dev.tributary.internal.kernel;

import dev.tributary.error.TributaryException;

/** The element of a resource tensor: the address of a resource. */
public record ResourceHandle(String device, String container, String name, String typeName) {
  /** The handle that a resource input carries; its resource must be on the kernel's device. */
  public static ResourceHandle ofInput(KernelContext context, int input) {
    ResourceHandle handle = (ResourceHandle) context.input(input).objects()[0];
    if (!handle.device().equals(context.device().name())) {
      throw TributaryException.invalidArgument(
          "resource '%s' is located in device %s and cannot be used from device %s",
          handle.name(), handle.device(), context.device().name());
    }
    return handle;
  }
}
