package dev.tributary.app.model;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.io.CsvLine;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.savedmodel.Signature;
import dev.tributary.train.savedmodel.TensorInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Batches as CSV: a row for each element of the batch. The first line may name the input of each
 * column; an input with several columns gets a row of a matrix.
 */
final class CsvTensors {
  private CsvTensors() {}

  static void read(
      byte[] content, Signature signature, Optional<String> input, Map<String, Tensor> values) {
    List<List<byte[]>> rows = rows(content);
    if (rows.isEmpty()) {
      throw TributaryException.invalidArgument("the file has no rows");
    }
    List<String> header = rows.get(0).stream().map(CsvTensors::text).toList();
    boolean hasHeader = input.isEmpty() && signature.inputs().keySet().containsAll(header);
    List<List<byte[]>> data = hasHeader ? rows.subList(1, rows.size()) : rows;
    Map<String, List<Integer>> columns = new LinkedHashMap<>();
    for (int i = 0; i < header.size(); i++) {
      String name = hasHeader ? header.get(i) : input.orElseGet(() -> onlyInput(signature, header));
      columns.computeIfAbsent(name, key -> new ArrayList<>()).add(i);
    }
    requireEvenRows(data, header.size());
    columns.forEach(
        (name, places) -> {
          try {
            InputFile.put(values, name, tensor(signature.inputs().get(name), data, places));
          } catch (TributaryException e) {
            throw e.at("input '" + name + "'");
          }
        });
  }

  private static String onlyInput(Signature signature, List<String> header) {
    if (signature.inputs().size() != 1) {
      throw TributaryException.invalidArgument(
          "the first line must name the input of each column, wanted names of %s, got %s",
          signature.inputs().keySet(), header);
    }
    return InputFile.onlyInput(signature);
  }

  /** A line break inside quotes is not supported. */
  private static List<List<byte[]>> rows(byte[] content) {
    CsvLine splitter = new CsvLine((byte) ',', true, new int[0]);
    return new String(content, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> splitter.fields(line.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  private static void requireEvenRows(List<List<byte[]>> rows, int columns) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).size() != columns) {
        throw TributaryException.invalidArgument(
            "row %d has %d columns, wanted %d", i + 1, rows.get(i).size(), columns);
      }
    }
  }

  /** A vector, unless there are several columns or the input is declared as a matrix. */
  private static Tensor tensor(TensorInfo info, List<List<byte[]>> rows, List<Integer> columns) {
    List<byte[]> elements = new ArrayList<>();
    rows.forEach(row -> columns.forEach(column -> elements.add(row.get(column))));
    boolean isMatrix = columns.size() > 1 || (info.shape().hasRank() && info.shape().rank() == 2);
    Shape shape = isMatrix ? Shape.of(rows.size(), columns.size()) : Shape.of(rows.size());
    return Elements.parse(info.type(), shape, elements);
  }

  private static String text(byte[] field) {
    return new String(field, StandardCharsets.UTF_8).strip();
  }
}
