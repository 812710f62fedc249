package dev.tributary.tensor;

/** Elements in borrowed memory. The lender is told when they are not needed any more. */
final class LentStorage extends Storage {
  private final Runnable onRelease;

  LentStorage(Runnable onRelease) {
    this.onRelease = onRelease;
  }

  @Override
  void free() {
    onRelease.run();
  }
}
