package dev.tributary.kernel.io;

import dev.tributary.file.FileFailure;
import dev.tributary.file.FilePattern;
import dev.tributary.kernel.KernelContext;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kernels of ops on whole files and on their names. */
public final class FileKernels {
  private FileKernels() {}

  public static void read(KernelContext context) {
    Path path = StringInputs.file(context, 0, "filename");
    try {
      byte[] content = Files.readAllBytes(path);
      context.setOutput(0, Tensor.ofObjects(DataType.STRING, Shape.scalar(), content));
    } catch (IOException e) {
      throw FileFailure.of("read file", path, e);
    }
  }

  /** Writes a file, in a folder that is made if there is none. */
  public static void write(KernelContext context) {
    Path path = StringInputs.file(context, 0, "filename");
    StringInputs.single(context, 1, "contents");
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.write(path, (byte[]) context.input(1).objects()[0]);
    } catch (IOException e) {
      throw FileFailure.of("write file", path, e);
    }
  }

  /** The names of all files that match one of the patterns, sorted. */
  public static void matching(KernelContext context) {
    List<String> found = new ArrayList<>();
    for (String pattern : context.input(0).toStrings()) {
      found.addAll(FilePattern.matches(context.device().files(), pattern));
    }
    found.sort(null);
    context.setOutput(0, Tensor.of(found.toArray(new String[0])));
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
