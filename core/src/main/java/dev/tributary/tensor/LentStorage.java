package dev.tributary.tensor;

/** Elements in memory of somebody else, who wants to know when nobody needs them any more. */
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
