package dev.tributary.internal.kernel.onednn;

/** The filter that a convolution wants, made of a plain one and factors for its outputs. */
record ScaledFilter(Convolution convolution) implements ProgramCache.Recipe {
  /** The tensor that it makes, behind the filter and the factors. */
  static final int RESULT = 2;

  @Override
  public ProgramBuilder prepare() {
    return convolution.scaledFilter();
  }
}
