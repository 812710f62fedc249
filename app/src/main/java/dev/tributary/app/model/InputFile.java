package dev.tributary.app.model;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.savedmodel.Signature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A file with values for inputs of a signature.
 *
 * @param input the input that the file is for; empty if the file names its inputs or there is one
 */
record InputFile(Optional<String> input, Path path) {
  /** Reads {@code NAME=FILE} or {@code FILE}. */
  static InputFile parse(String text) {
    int equals = text.indexOf('=');
    return equals <= 0 || Files.exists(Path.of(text))
        ? new InputFile(Optional.empty(), Path.of(text))
        : new InputFile(
            Optional.of(text.substring(0, equals)), Path.of(text.substring(equals + 1)));
  }

  /** Adds the values of the file, for the caller to close. */
  void read(Signature signature, Map<String, Tensor> values) {
    input.ifPresent(name -> requireInput(signature, name));
    try {
      byte[] content = Files.readAllBytes(path);
      switch (extension()) {
        case "json" -> JsonTensors.read(content, signature, input, values);
        case "csv" -> CsvTensors.read(content, signature, input, values);
        case "npy" -> {
          String name = input.orElseGet(() -> onlyInput(signature));
          put(values, name, NpyTensors.read(content, signature.inputs().get(name).type()));
        }
        default ->
            throw TributaryException.invalidArgument(
                "files of inputs end in .json, .csv or .npy, this one does not");
      }
    } catch (IOException e) {
      throw FileFailure.of("read inputs", path, e);
    } catch (TributaryException e) {
      throw e.at(path.toString());
    }
  }

  private String extension() {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return name.substring(name.lastIndexOf('.') + 1);
  }

  static void put(Map<String, Tensor> values, String name, Tensor tensor) {
    Tensor earlier = values.put(name, tensor);
    if (earlier != null) {
      earlier.close();
      throw TributaryException.invalidArgument("input '%s' is given twice", name);
    }
  }

  static void requireInput(Signature signature, String name) {
    if (!signature.inputs().containsKey(name)) {
      throw TributaryException.invalidArgument(
          "signature '%s' has no input '%s', it has %s",
          signature.name(), name, signature.inputs());
    }
  }

  /** The name of the only input. */
  static String onlyInput(Signature signature) {
    Set<String> names = signature.inputs().keySet();
    if (names.size() != 1) {
      throw TributaryException.invalidArgument(
          "signature '%s' has inputs %s: name the one that the values are for, as in --inputs"
              + " NAME=FILE",
          signature.name(), names);
    }
    return names.iterator().next();
  }
}
