package dev.tributary.train.testing;

import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.Variables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A folder with checkpoints of a {@link TinyModel}, and ways to damage them. */
public record TrainingFolder(Path path) {
  /** Saves the model at each of these global steps, as one run does. */
  public TrainingFolder withCheckpoints(long... steps) {
    TinyModel model = TinyModel.build(Ops.create());
    Saver saver = Saver.of(model.tf().graph());
    var init = Variables.globalInitializer(model.tf());
    try (Session session = Session.local(model.tf().graph())) {
      session.run(init);
      for (long step : steps) {
        while (model.step(session) < step) {
          session.run(model.train());
        }
        saver.save(session, path.resolve("model.ckpt"), step);
      }
    }
    return this;
  }

  public Path index(long step) {
    return BundleFiles.index(path.resolve("model.ckpt-" + step));
  }

  public Path data(long step) {
    return BundleFiles.data(path.resolve("model.ckpt-" + step), 0, 1);
  }

  public Path state() {
    return path.resolve("checkpoint");
  }

  public static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void write(Path file, byte... content) {
    try {
      Files.write(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes the last byte away. */
  public static void truncate(Path file) {
    byte[] content = read(file);
    write(file, Arrays.copyOf(content, content.length - 1));
  }

  /** Changes one bit of the third byte. */
  public static void flip(Path file) {
    byte[] content = read(file);
    content[2] ^= 1;
    write(file, content);
  }

  /** All files of checkpoints and when they were written. */
  public Map<String, FileTime> checkpointFiles() {
    Map<String, FileTime> times = new TreeMap<>();
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith("model.ckpt") || name.startsWith("checkpoint")) {
          times.put(name, Files.getLastModifiedTime(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return times;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
