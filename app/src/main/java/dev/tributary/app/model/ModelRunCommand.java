package dev.tributary.app.model;

import dev.tributary.error.TributaryException;
import dev.tributary.session.RunOptions;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.savedmodel.SavedModel;
import dev.tributary.train.savedmodel.Signature;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Calls a signature of a SavedModel. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Calls a signature of a SavedModel with values from files and prints its outputs as JSON.",
      "A .json file holds an object with an array for each input, or just the array if there is one"
          + " input. Bytes are written {\"b64\": \"...\"}.",
      "A .csv file has a row for each element of the batch. Its first line names the input of each"
          + " column; it may be left out if there is one input.",
      "A .npy file holds one array, as NumPy saves it; elements are converted to the type of the"
          + " input."
    })
final class ModelRunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Folder of saved_model.pb or saved_model.pbtxt.")
  private Path folder;

  @Option(
      names = "--inputs",
      paramLabel = "[NAME=]FILE",
      description =
          "File with values for the inputs, or for the input NAME. May be repeated. A signature"
              + " without inputs needs none.",
      showDefaultValue = Visibility.NEVER)
  private List<String> inputs = List.of();

  @Option(
      names = "--signature",
      paramLabel = "NAME",
      defaultValue = SavedModel.SERVING_DEFAULT,
      description = "Signature to call.")
  private String signature;

  @Option(
      names = "--tags",
      paramLabel = "TAG",
      split = ",",
      defaultValue = SavedModel.SERVE,
      description = "Tags of the meta graph, with commas between them.")
  private List<String> tags;

  @Override
  public Integer call() {
    try (SavedModel model = SavedModel.load(folder, Set.copyOf(tags), SessionOptions.defaults())) {
      Signature called = model.signature(signature);
      Map<String, Tensor> values = new LinkedHashMap<>();
      try {
        for (String input : inputs) {
          InputFile.parse(input).read(called, values);
        }
        print(called, values);
      } finally {
        values.values().forEach(Tensor::close);
      }
    }
    return 0;
  }

  private void print(Signature called, Map<String, Tensor> values) {
    List<String> outputs = List.copyOf(called.outputs().keySet());
    try (StepResult result = called.run(values, outputs, RunOptions.defaults())) {
      Map<String, Tensor> named = new LinkedHashMap<>();
      for (int i = 0; i < outputs.size(); i++) {
        named.put(outputs.get(i), result.get(i));
      }
      PrintWriter out = spec.commandLine().getOut();
      JsonTensors.write(named, out);
      out.flush();
    } catch (TributaryException e) {
      throw e.at("model " + folder);
    }
  }
}
