package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.concurrent.UseCount;

/** A function that its dataset owns, and that ends with the last of its users. */
abstract class OwnedFunction implements ElementFunction, AutoCloseable {
  private final String stage;
  private final UseCount uses = new UseCount(this::release);

  OwnedFunction(String stage) {
    this.stage = stage;
  }

  /** Gives back what the function holds, when nobody uses it any more. */
  abstract void release();

  @Override
  public final String stage() {
    return stage;
  }

  @Override
  public final void enter() {
    if (!uses.enter()) {
      throw TributaryException.internal("%s was used after its dataset ended", stage);
    }
  }

  @Override
  public final void leave() {
    uses.leave();
  }

  @Override
  public final void close() {
    uses.close();
  }
}
