package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_ATTR_SCALES;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_FROM;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SCRATCHPAD;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_TO;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_clone;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_equal;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_desc_get_size;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_desc_query_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_query_scratchpad_md;
import static org.bytedeco.dnnl.global.dnnl.dnnl_reorder_primitive_desc_create;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;
import org.bytedeco.dnnl.dnnl_primitive;
import org.bytedeco.dnnl.dnnl_primitive_desc;

/**
 * Puts a {@link Program} together: first the caller's tensors, then steps, with tensors between
 * them and changes of layout where a primitive wants another one than the caller has.
 */
final class ProgramBuilder {
  private final List<Program.Slot> slots = new ArrayList<>();
  private final List<Program.Step> steps = new ArrayList<>();
  private final List<dnnl_memory_desc> layouts = new ArrayList<>();
  private long scratchBytes;

  /** The next tensor of the caller. */
  int tensor(dnnl_memory_desc layout) {
    return slot(layout, Program.Place.GIVEN, 0);
  }

  /** A tensor of zeros, for reading; no larger than {@link Zeros#BYTES}. */
  int zeros(dnnl_memory_desc layout) {
    return slot(layout, Program.Place.CONSTANT, Zeros.address());
  }

  /** A tensor that lives during the call only. */
  int temporary(dnnl_memory_desc layout) {
    final int result = slot(layout, Program.Place.SCRATCH, scratchBytes);
    scratchBytes += ScratchPool.aligned(dnnl_memory_desc_get_size(layout));
    return result;
  }

  dnnl_memory_desc layout(int slot) {
    return slots.get(slot).layout();
  }

  /** {@code slot} or, if its layout is another one, a copy in the layout {@code wanted}. */
  int asInput(int slot, dnnl_memory_desc wanted) {
    final int result = asOutput(slot, wanted);
    if (result != slot) {
      reorder(slot, result);
    }
    return result;
  }

  /** {@code slot} or, if its layout is another one, a place for {@link #deliver} to take from. */
  int asOutput(int slot, dnnl_memory_desc wanted) {
    final boolean same = dnnl_memory_desc_equal(slots.get(slot).layout(), wanted) != 0;
    return same ? slot : temporary(wanted);
  }

  /** Brings an output to where the caller wants it. */
  void deliver(int from, int slot) {
    if (from != slot) {
      reorder(from, slot);
    }
  }

  /** Runs a primitive; {@code arguments} are pairs of name and slot. */
  void step(dnnl_primitive_desc description, int... arguments) {
    final dnnl_memory_desc pad =
        dnnl_primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0);
    final boolean padded = dnnl_memory_desc_get_size(pad) > 0;
    final int count = arguments.length / 2;
    final int[] names = new int[count + (padded ? 1 : 0)];
    final int[] places = new int[names.length];
    for (int i = 0; i < count; i++) {
      names[i] = arguments[2 * i];
      places[i] = arguments[2 * i + 1];
    }
    if (padded) {
      names[count] = DNNL_ARG_SCRATCHPAD;
      places[count] = temporary(pad);
    }
    final dnnl_primitive primitive = new dnnl_primitive();
    Library.check(dnnl_primitive_create(primitive, description), "primitive creation");
    steps.add(new Program.Step(primitive, names, places));
  }

  Program build(ScratchPool scratch) {
    return new Program(slots, steps, layouts, scratchBytes, scratch);
  }

  /**
   * Multiplies a tensor by factors on the way into another layout.
   *
   * @param dimensions those that the factors follow, as a set of bits
   */
  void scale(int from, int dimensions, int factors, int to) {
    try (Description description = Description.scaled(reordering(from, to), dimensions)) {
      step(
          description.handle(),
          DNNL_ARG_FROM,
          from,
          DNNL_ARG_ATTR_SCALES | DNNL_ARG_FROM,
          factors,
          DNNL_ARG_TO,
          to);
    }
  }

  private void reorder(int from, int to) {
    try (Description description = Description.of(reordering(from, to))) {
      step(description.handle(), DNNL_ARG_FROM, from, DNNL_ARG_TO, to);
    }
  }

  private Description.Creation reordering(int from, int to) {
    return (result, attributes) ->
        dnnl_reorder_primitive_desc_create(
            result,
            slots.get(from).layout(),
            Library.ENGINE,
            slots.get(to).layout(),
            Library.ENGINE,
            attributes);
  }

  private int slot(dnnl_memory_desc layout, Program.Place place, long position) {
    // A copy, because layouts that are asked from a description end with it.
    final dnnl_memory_desc copy = new dnnl_memory_desc();
    Library.check(dnnl_memory_desc_clone(copy, layout), "memory descriptor");
    layouts.add(copy);
    slots.add(new Program.Slot(copy, place, position));
    return slots.size() - 1;
  }
}
