package dev.tributary.internal.kernel.onednn;

import org.bytedeco.dnnl.dnnl_memory_desc;

/** The {@linkplain Rectifier rectified} elements of a dense tensor. May work in place. */
record RectifiedElements(long count) implements ProgramCache.Recipe {
  @Override
  public ProgramBuilder prepare() {
    try (Layouts layouts = new Layouts()) {
      final dnnl_memory_desc elements = layouts.vector(count);
      final ProgramBuilder program = new ProgramBuilder();
      final int from = program.tensor(elements);
      Rectifier.append(program, from, program.tensor(elements));
      return program;
    }
  }
}
