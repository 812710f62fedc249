package dev.tributary.bench.training;

import dev.tributary.bench.Checks;
import dev.tributary.cluster.server.Server;
import dev.tributary.cluster.server.ServerOptions;
import dev.tributary.cluster.spec.ClusterSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Checkpoints of a large model on two parameter servers, each a process, beside what the disk takes
 * and gives; and what saving in the background costs the training at a worker, which is this
 * process.
 *
 * @param folder on the disk in question; files are left there
 * @param warmUpSeconds of training before its steps count
 */
record CheckpointRun(int rounds, int mebibytes, Path folder, double warmUpSeconds) {
  private static final int PARAMETER_SERVERS = 2;

  List<Rounds> measure() {
    ClusterSpec spec = ProcessCluster.spec(PARAMETER_SERVERS, 1);
    Disk disk = new Disk(folder, mebibytes);
    Map<Quantity, List<Double>> values = new EnumMap<>(Quantity.class);
    try (ProcessCluster servers = ProcessCluster.start(spec, "ps");
        Server worker = Server.start(ServerOptions.of(spec, "worker", 0));
        CheckpointModel model =
            new CheckpointModel(worker.target(), PARAMETER_SERVERS, mebibytes)) {
      float probe = model.probe();
      for (int i = 0; i < rounds; i++) {
        round(model, disk, folder.resolve("model.ckpt-" + i))
            .forEach((q, value) -> values.computeIfAbsent(q, k -> new ArrayList<>()).add(value));
        Checks.equal("a restored table", model.probe(), probe);
      }
      values.putAll(new TrainingBesideSaves(model, disk, rounds, warmUpSeconds).measure());
    }
    return values.entrySet().stream().map(e -> new Rounds(e.getKey(), e.getValue())).toList();
  }

  private static Map<Quantity, Double> round(CheckpointModel model, Disk disk, Path prefix) {
    Map<Quantity, Double> values = new EnumMap<>(Quantity.class);
    double write = disk.write();
    values.put(Quantity.DISK_WRITE, write);
    values.put(Quantity.DISK_READ, disk.read());
    double save = disk.rate(() -> model.save(prefix));
    values.put(Quantity.SAVE, save);
    values.put(Quantity.SAVE_RATIO, save / write);
    model.forget();
    disk.forgetAll();
    double restore = disk.rate(() -> model.restore(prefix));
    values.put(Quantity.RESTORE, restore);
    values.put(Quantity.RESTORE_RATIO, restore / write);
    return values;
  }
}
