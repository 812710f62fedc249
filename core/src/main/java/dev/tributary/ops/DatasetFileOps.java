package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.KernelFactory;
import dev.tributary.internal.kernel.data.FileKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/** Datasets of the records of files and of their names, and files of datasets. */
final class DatasetFileOps {
  private DatasetFileOps() {}

  static List<OpDeclaration> declarations() {
    return List.of(
        file(
            "TFRecordDataset",
            FileKernels::tfRecords,
            "compression_type: string",
            "buffer_size: int64"),
        file(
            "TextLineDataset",
            FileKernels::textLines,
            "compression_type: string",
            "buffer_size: int64"),
        file(
            "FixedLengthRecordDataset",
            FileKernels::fixedLength,
            "header_bytes: int64",
            "record_bytes: int64",
            "footer_bytes: int64",
            "buffer_size: int64"),
        file(
            "FixedLengthRecordDatasetV2",
            FileKernels::fixedLength,
            "header_bytes: int64",
            "record_bytes: int64",
            "footer_bytes: int64",
            "buffer_size: int64",
            "compression_type: string"),
        csv("CSVDataset"),
        csv("CSVDatasetV2", "exclude_cols: int64"),
        csv("ExperimentalCSVDataset"),
        matching("MatchingFilesDataset"),
        matching("ExperimentalMatchingFilesDataset"),
        toRecords("DatasetToTFRecord"),
        toRecords("ExperimentalDatasetToTFRecord"));
  }

  private static OpDeclaration file(String name, KernelFactory kernel, String... arguments) {
    Declaration declaration = op(name).input("filenames: string");
    for (String argument : arguments) {
      declaration = declaration.input(argument);
    }
    return declaration
        .output("handle: variant")
        .attr(DatasetOps.METADATA)
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(kernel)
        .notDifferentiable();
  }

  private static OpDeclaration csv(String name, String... more) {
    Declaration declaration =
        op(name)
            .input("filenames: string")
            .input("compression_type: string")
            .input("buffer_size: int64")
            .input("header: bool")
            .input("field_delim: string")
            .input("use_quote_delim: bool")
            .input("na_value: string")
            .input("select_cols: int64")
            .input("record_defaults: output_types");
    for (String argument : more) {
      declaration = declaration.input(argument);
    }
    return declaration
        .output("handle: variant")
        .attr("output_types: list({float, double, int32, int64, string}) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(FileKernels::csv)
        .notDifferentiable();
  }

  private static OpDeclaration matching(String name) {
    return op(name)
        .input("patterns: string")
        .output("handle: variant")
        .stateful()
        .shape(ShapeRules::scalar)
        .kernel(FileKernels::matchingFiles)
        .notDifferentiable();
  }

  private static OpDeclaration toRecords(String name) {
    return op(name)
        .input("input_dataset: variant")
        .input("filename: string")
        .input("compression_type: string")
        .stateful()
        .shape(ShapeRules::unknown)
        .kernel(FileKernels::toRecords)
        .notDifferentiable();
  }
}
