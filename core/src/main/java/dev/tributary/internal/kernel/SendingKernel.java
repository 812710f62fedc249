package dev.tributary.internal.kernel;

/** A kernel that gives its only input to another device, and to nobody else. */
public interface SendingKernel extends Kernel {
  String recvDevice();
}
