package dev.tributary.internal.kernel.io;

import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FilePattern;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kernels of ops on whole files and on their names. */
public final class FileKernels {
  private FileKernels() {}

  public static Kernel read(KernelNode node) {
    return new FileKernel(
        node,
        context -> {
          FileRoot files = context.device().files();
          String name = StringInputs.single(context, 0, "filename");
          return () -> {
            byte[] content = content(files, name);
            return call ->
                call.setOutput(0, Tensor.ofObjects(DataType.STRING, Shape.scalar(), content));
          };
        });
  }

  static byte[] content(FileRoot files, String name) {
    Path path = files.resolve(name);
    try {
      return files.read(path);
    } catch (IOException e) {
      throw FileFailure.of("read file", path, e);
    }
  }

  /** Writes a file, in a folder that is made if there is none. */
  public static Kernel write(KernelNode node) {
    return new FileKernel(
        node,
        context -> {
          FileRoot files = context.device().files();
          String name = StringInputs.single(context, 0, "filename");
          StringInputs.single(context, 1, "contents");
          byte[] content = (byte[]) context.input(1).objects()[0];
          return () -> {
            Path path = files.resolve(name);
            try {
              files.write(path, content);
            } catch (IOException e) {
              throw FileFailure.of("write file", path, e);
            }
            return call -> {};
          };
        });
  }

  /** The names of all files that match one of the patterns, sorted. */
  public static Kernel matching(KernelNode node) {
    return new FileKernel(
        node,
        context -> {
          FileRoot files = context.device().files();
          String[] patterns = context.input(0).toStrings();
          return () -> {
            List<String> found = new ArrayList<>();
            for (String pattern : patterns) {
              found.addAll(FilePattern.matches(files, pattern));
            }
            found.sort(null);
            return call -> call.setOutput(0, Tensor.of(found.toArray(new String[0])));
          };
        });
  }

  public static void shardedFilename(KernelContext context) {
    setName(
        context,
        "%s-%05d-of-%05d",
        StringInputs.single(context, 0, "basename"),
        context.input(1).intValue(),
        context.input(2).intValue());
  }

  public static void shardedFilespec(KernelContext context) {
    setName(
        context,
        "%s-?????-of-%05d",
        StringInputs.single(context, 0, "basename"),
        context.input(1).intValue());
  }

  private static void setName(KernelContext context, String format, Object... parts) {
    context.setOutput(0, Tensor.scalar(String.format(Locale.ROOT, format, parts)));
  }
}
