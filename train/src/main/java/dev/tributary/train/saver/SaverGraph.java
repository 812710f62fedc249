package dev.tributary.train.saver;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The operations of a saver, called as stock TensorFlow calls them, since tools find them by name.
 *
 * @param filename the prefix of a checkpoint, to be fed
 * @param save writes a checkpoint, and gives its prefix
 * @param restore sets everything from a checkpoint
 */
record SaverGraph(Output filename, Output save, Operation restore) {
  /** Saves everything by one operation in this scope. */
  static SaverGraph unsharded(Ops tf, List<Saveable> tensors) {
    Ops inner = tf.withSubScope("save");
    Output filename = filename(inner);
    Operation saved = saved(inner, filename, tensors);
    Output done =
        inner.withControlDependencies(saved).withName("control_dependency").identity(filename);
    Operation restore = inner.withName("restore_all").group(restored(inner, filename, tensors));
    return new SaverGraph(filename, done, restore);
  }

  /** Saves what each task holds by an operation there, all of them at the same time. */
  static SaverGraph sharded(Ops tf, List<Saveable> tensors) {
    Ops inner = tf.withSubScope("save");
    Output filename = filename(inner);
    Map<DeviceSpec, List<Saveable>> byTask = new LinkedHashMap<>();
    tensors.forEach(v -> byTask.computeIfAbsent(v.task(), task -> new ArrayList<>()).add(v));
    Output parts = inner.strings.stringJoin(List.of(filename, inner.constant("_temp/part")), "");
    Output count = inner.withName("num_shards").constant(byTask.size());
    List<Output> prefixes = new ArrayList<>();
    List<Operation> saves = new ArrayList<>();
    List<Operation> restores = new ArrayList<>();
    Ops last = inner;
    for (Map.Entry<DeviceSpec, List<Saveable>> shard : byTask.entrySet()) {
      last = at(inner, shard.getKey());
      Output prefix = last.io.shardedFilename(parts, last.constant(prefixes.size()), count);
      prefixes.add(prefix);
      saves.add(saved(last, prefix, shard.getValue()));
      restores.add(
          last.withName("restore_shard").group(restored(last, filename, shard.getValue())));
    }
    Ops after = last.withControlDependencies(saves.toArray(new Operation[0]));
    Operation merged = after.io.mergeV2Checkpoints(after.array.pack(prefixes, 0), filename);
    Output done = inner.withControlDependencies(merged).identity(filename);
    return new SaverGraph(filename, done, inner.withName("restore_all").group(restores));
  }

  private static Output filename(Ops tf) {
    Output input = tf.withName("filename/input").constant("model");
    Output filename = tf.withName("filename").array.placeholderWithDefault(input, Shape.scalar());
    return tf.withName("Const").array.placeholderWithDefault(filename, Shape.scalar());
  }

  private static Operation saved(Ops tf, Output prefix, List<Saveable> tensors) {
    return tf.io.saveV2(
        prefix,
        strings(tf, "SaveV2/tensor_names", tensors, Saveable::name),
        strings(tf, "SaveV2/shape_and_slices", tensors, Saveable::saveSpec),
        tensors.stream().map(one -> one.value(tf)).toList());
  }

  private static List<Operation> restored(Ops tf, Output prefix, List<Saveable> tensors) {
    List<DataType> types = tensors.stream().map(Saveable::type).toList();
    List<Output> values =
        tf.io.restoreV2(
            prefix,
            strings(tf, "RestoreV2/tensor_names", tensors, Saveable::name),
            strings(tf, "RestoreV2/shape_and_slices", tensors, Saveable::restoreSpec),
            types);
    List<Operation> assigns = new ArrayList<>();
    for (int i = 0; i < tensors.size(); i++) {
      Saveable one = tensors.get(i);
      Ops beside = tf.colocatedWith(one.resource().operation());
      assigns.add(one.restore(beside, values.get(i)));
    }
    return assigns;
  }

  private static Output strings(
      Ops tf, String name, List<Saveable> tensors, Function<Saveable, String> of) {
    return tf.withName(name).constant(tensors.stream().map(of).toArray(String[]::new));
  }

  private static Ops at(Ops tf, DeviceSpec task) {
    return new Ops(tf.scope().withoutDevice().withDevice(task.toString()));
  }
}
