package dev.tributary.internal.kernel.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_memory_set_data_handle;
import static org.bytedeco.dnnl.global.dnnl.dnnl_primitive_execute;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_create;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_default_flags;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_destroy;
import static org.bytedeco.dnnl.global.dnnl.dnnl_stream_wait;

import java.util.List;
import org.bytedeco.dnnl.dnnl_exec_arg_t;
import org.bytedeco.dnnl.dnnl_memory;
import org.bytedeco.dnnl.dnnl_stream;

/**
 * The native objects for one call of a {@link Program}: a stream, memory objects, argument lists.
 */
final class ProgramCall {
  private final List<Program.Slot> slots;
  private final List<Program.Step> steps;
  private final dnnl_stream stream = new dnnl_stream();
  private final dnnl_memory[] memories;
  private final dnnl_exec_arg_t[] arguments;
  private final Floats pointer = new Floats();
  private long scratch;

  ProgramCall(List<Program.Slot> slots, List<Program.Step> steps) {
    this.slots = slots;
    this.steps = steps;
    Library.check(
        dnnl_stream_create(stream, Library.ENGINE, dnnl_stream_default_flags), "stream creation");
    memories = new dnnl_memory[slots.size()];
    for (int i = 0; i < memories.length; i++) {
      final Program.Slot slot = slots.get(i);
      memories[i] = new dnnl_memory();
      Library.check(
          dnnl_memory_create(memories[i], slot.layout(), Library.ENGINE, pointer),
          "memory creation");
      if (slot.place() == Program.Place.CONSTANT) {
        point(i, slot.position());
      }
    }
    arguments = new dnnl_exec_arg_t[steps.size()];
    for (int i = 0; i < arguments.length; i++) {
      final Program.Step step = steps.get(i);
      arguments[i] = new dnnl_exec_arg_t(step.names().length);
      for (int j = 0; j < step.names().length; j++) {
        arguments[i].position(j).arg(step.names()[j]).memory(memories[step.slots()[j]]);
      }
      arguments[i].position(0);
    }
  }

  void run(long scratchAddress, long[] addresses) {
    for (int i = 0; i < addresses.length; i++) {
      point(i, addresses[i]);
    }
    if (scratch != scratchAddress) {
      for (int i = addresses.length; i < memories.length; i++) {
        final Program.Slot slot = slots.get(i);
        if (slot.place() == Program.Place.SCRATCH) {
          point(i, scratchAddress + slot.position());
        }
      }
      scratch = scratchAddress;
    }
    for (int i = 0; i < arguments.length; i++) {
      final Program.Step step = steps.get(i);
      Library.check(
          dnnl_primitive_execute(step.primitive(), stream, step.names().length, arguments[i]),
          "execution");
    }
    Library.check(dnnl_stream_wait(stream), "wait");
  }

  void free() {
    for (dnnl_memory memory : memories) {
      dnnl_memory_destroy(memory);
    }
    for (dnnl_exec_arg_t argument : arguments) {
      argument.close();
    }
    dnnl_stream_destroy(stream);
  }

  private void point(int slot, long address) {
    Library.check(dnnl_memory_set_data_handle(memories[slot], pointer.at(address)), "data handle");
  }
}
