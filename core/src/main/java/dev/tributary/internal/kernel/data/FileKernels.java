package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.AsyncKernel;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.io.CsvColumns;
import dev.tributary.internal.kernel.io.CsvLine;
import dev.tributary.internal.kernel.io.RecordSource;
import dev.tributary.record.Compression;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The kernels of ops whose datasets are the records of files. */
public final class FileKernels {
  private FileKernels() {}

  public static Kernel tfRecords(KernelNode node) {
    return source(node, c -> RecordSource.tfRecords(compression(c, 1)));
  }

  public static Kernel textLines(KernelNode node) {
    return source(node, c -> RecordSource.textLines(compression(c, 1)));
  }

  public static Kernel fixedLength(KernelNode node) {
    return source(
        node,
        c ->
            RecordSource.fixedLength(
                size(c, 1, "header_bytes"),
                size(c, 2, "record_bytes"),
                size(c, 3, "footer_bytes"),
                c.inputCount() > 5 ? compression(c, 5) : Compression.NONE));
  }

  /** Elements are the fields of records. */
  public static Kernel csv(KernelNode node) {
    String stage = DatasetKernels.stage(node);
    ElementSpec spec = ElementSpec.of(node);
    int width = spec.types().size();
    return c -> {
      List<String> names = names(c.input(0));
      boolean hasQuotes = DatasetKernels.truth(c, 5, "use_quote_delim");
      RecordSource.Opener opener =
          RecordSource.csv(compression(c, 1), hasQuotes, DatasetKernels.truth(c, 3, "header"));
      int[] selected = CsvColumns.selected(c.input(7).toLongs(), width);
      int[] excluded =
          c.inputCount() > 8 + width
              ? Arrays.stream(c.input(8 + width).toLongs()).mapToInt(Math::toIntExact).toArray()
              : new int[0];
      for (int i = 0; i < width; i++) {
        CsvColumns.requireDefault(i, c.input(8 + i));
      }
      List<Tensor> defaults = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        defaults.add(c.input(8 + i).retain());
      }
      CsvIterator.Format format =
          new CsvIterator.Format(
              names,
              new CsvLine(CsvColumns.delimiter(c.input(4).stringValue()), hasQuotes, selected),
              excluded,
              new CsvColumns(spec.types(), c.input(6).stringValue()),
              spec.types(),
              defaults);
      DatasetKernels.set(
          c,
          new Dataset(
              stage,
              spec,
              List.of(),
              () -> defaults.forEach(Tensor::close),
              context ->
                  new CsvIterator(
                      context, new FileIterator(stage, context, names, opener), format)));
    };
  }

  /** The names of the files that match patterns, in order. */
  public static Kernel matchingFiles(KernelNode node) {
    String stage = DatasetKernels.stage(node);
    return c -> {
      List<String> patterns = names(c.input(0));
      DatasetKernels.set(
          c,
          new Dataset(
              stage,
              ElementSpec.strings(),
              List.of(),
              () -> {},
              context -> new MatchingFilesIterator(context, stage, patterns)));
    };
  }

  /** Writes the elements to a file, and has no output. */
  public static AsyncKernel toRecords(KernelNode node) {
    String stage = DatasetKernels.stage(node);
    return new SingleElement(
        node,
        new ElementSpec(List.of(), List.of()),
        c -> {
          Dataset input = Dataset.input(c, 0);
          String file = c.input(1).stringValue();
          Compression compression = compression(c, 2);
          return new SingleElement.Pass(
              context ->
                  new RecordSinkIterator(
                      context, stage, input.iterator(context), file, compression),
              () -> {});
        });
  }

  private static Kernel source(KernelNode node, Function<KernelContext, RecordSource.Opener> read) {
    String stage = DatasetKernels.stage(node);
    return c -> {
      List<String> names = names(c.input(0));
      RecordSource.Opener opener = read.apply(c);
      DatasetKernels.set(
          c,
          new Dataset(
              stage,
              ElementSpec.strings(),
              List.of(),
              () -> {},
              context -> new FileIterator(stage, context, names, opener)));
    };
  }

  private static List<String> names(Tensor filenames) {
    if (filenames.rank() > 1) {
      throw TributaryException.invalidArgument(
          "`filenames` must be a scalar or a vector, but it has shape %s", filenames.shape());
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < filenames.elementCount(); i++) {
      names.add(filenames.getString(i));
    }
    return names;
  }

  private static int size(KernelContext c, int input, String name) {
    long size = DatasetKernels.scalar(c, input, name);
    if (size < 0 || size > Integer.MAX_VALUE) {
      throw TributaryException.invalidArgument(
          "%s must be 0 or more and less than 2 GiB, got %d", name, size);
    }
    return (int) size;
  }

  private static Compression compression(KernelContext c, int input) {
    Tensor name = c.input(input);
    if (name.rank() != 0) {
      throw TributaryException.invalidArgument(
          "compression_type must be a scalar, but it has shape %s", name.shape());
    }
    return Compression.named(name.stringValue());
  }
}
