package dev.tributary.bench.jmh;

import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.internal.bundle.BundleWriter;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Saving and restoring a checkpoint, beside what the disk takes: the same bytes written by one
 * thread and brought to the disk, as {@code dd conv=fsync} does.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
@State(Scope.Benchmark)
public class CheckpointBenchmark {
  private static final int FLOATS = 4 << 20;
  private static final int BYTES = 4 * FLOATS;
  private static final int MEBIBYTES = BYTES >> 20;

  @Param("512")
  public int mebibytes;

  private final List<Tensor> tensors = new ArrayList<>();
  private Path folder;

  @Setup
  public void open() throws IOException {
    folder = Files.createTempDirectory("checkpoint-benchmark");
    RandomTensors random = new RandomTensors();
    for (int i = 0; i < mebibytes / MEBIBYTES; i++) {
      tensors.add(random.next(FLOATS));
    }
    save();
  }

  @TearDown
  public void close() throws IOException {
    tensors.forEach(Tensor::close);
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  @Benchmark
  public void save() {
    try (BundleWriter writer = BundleWriter.create(folder.resolve("model"))) {
      for (int i = 0; i < tensors.size(); i++) {
        writer.add("v" + i, tensors.get(i));
      }
      writer.finish();
    }
  }

  @Benchmark
  public void restore() {
    try (BundleReader reader = BundleReader.open(folder.resolve("model"))) {
      for (int i = 0; i < tensors.size(); i++) {
        reader.read("v" + i).close();
      }
    }
  }

  @Benchmark
  public void plainWrite() throws IOException {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("plain"),
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      for (Tensor tensor : tensors) {
        file.write(Memory.bytes(tensor.storage().address(), BYTES));
      }
      file.force(true);
    }
  }
}
