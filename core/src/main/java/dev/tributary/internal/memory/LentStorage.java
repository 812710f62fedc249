package dev.tributary.internal.memory;

/** Elements in borrowed memory. The lender is called when they are not needed any more. */
public final class LentStorage extends Storage {
  private final Runnable onRelease;

  /**
   * @param address a multiple of 64
   */
  public LentStorage(long address, Runnable onRelease) {
    super(address);
    this.onRelease = onRelease;
  }

  @Override
  void free() {
    onRelease.run();
  }
}
