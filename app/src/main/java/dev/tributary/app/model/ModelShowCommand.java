package dev.tributary.app.model;

import dev.tributary.app.files.TextTable;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.UnknownOps;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.wire.ShapeProtos;
import dev.tributary.internal.wire.TypeProtos;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.train.internal.savedmodel.ModelVariables;
import dev.tributary.train.internal.savedmodel.SavedMetaGraph;
import dev.tributary.train.internal.savedmodel.SavedModelFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.SignatureDef;
import org.tensorflow.proto.TensorInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Describes a SavedModel. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = {
      "Shows the signatures, variables, files and ops of a SavedModel, and what keeps it from"
          + " running here.",
      "Exits with 1 if a signature, the restore or the init op cannot run, or if a file is missing"
          + " or damaged."
    })
final class ModelShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "Folder of saved_model.pb or saved_model.pbtxt.")
  private Path folder;

  @Override
  public Integer call() {
    SavedModelFile model = SavedModelFile.read(folder);
    PrintWriter out = spec.commandLine().getOut();
    out.printf("SavedModel %s, %s%n", folder, bytes(size(folder)));
    boolean isWhole = true;
    for (SavedMetaGraph meta : model.metaGraphs()) {
      isWhole &= show(out, meta);
    }
    out.flush();
    return isWhole ? 0 : 1;
  }

  private static boolean show(PrintWriter out, SavedMetaGraph meta) {
    String version = meta.message().getMetaInfoDef().getTensorflowVersion();
    out.printf(
        "%nMeta graph with tags %s, in the style of TensorFlow %s%s%n",
        String.join(", ", meta.tags()),
        meta.hasObjects() ? "2" : "1",
        version.isEmpty() ? "" : ", version " + version);
    showSignatures(out, meta);
    boolean isWhole = showVariables(out, meta);
    isWhole &= showAssets(out, meta);
    showOps(out, meta.message().getGraphDef());
    return isWhole & showMissing(out, meta);
  }

  // ---- signatures ----

  private static void showSignatures(PrintWriter out, SavedMetaGraph meta) {
    if (meta.signatures().isEmpty()) {
      out.printf("%nNo signatures%n");
    }
    meta.signatures()
        .forEach(
            (name, signature) -> {
              out.printf(
                  "%nSignature %s%s%n",
                  name,
                  signature.getMethodName().isEmpty()
                      ? ""
                      : " (" + signature.getMethodName() + ")");
              TextTable table = new TextTable();
              add(table, "input", signature.getInputsMap(), signature);
              add(table, "output", signature.getOutputsMap(), signature);
              out.print(table);
            });
  }

  private static void add(
      TextTable table, String kind, Map<String, TensorInfo> infos, SignatureDef signature) {
    new TreeMap<>(infos)
        .forEach(
            (key, info) ->
                table.add(
                    "  " + kind,
                    key,
                    type(info),
                    shape(info),
                    String.join(", ", SavedMetaGraph.tensors(info)),
                    kind.equals("input") && signature.containsDefaults(key) ? "optional" : ""));
  }

  private static String type(TensorInfo info) {
    return info.getDtypeValue() <= 0 ? "?" : TypeProtos.toType(info.getDtypeValue()).lowerName();
  }

  private static String shape(TensorInfo info) {
    Shape shape =
        info.hasTensorShape() ? ShapeProtos.toShape(info.getTensorShape()) : Shape.unknown();
    return shape.toString();
  }

  // ---- variables and files ----

  /** Returns false if there are variables that cannot be read. */
  private static boolean showVariables(PrintWriter out, SavedMetaGraph meta) {
    if (!meta.hasVariables()) {
      out.printf("%nNo variables%n");
      return true;
    }
    try (ModelVariables variables = ModelVariables.open(meta.variables())) {
      TextTable table = new TextTable();
      long elements = 0;
      for (ModelVariables.Entry entry : variables.entries()) {
        elements += entry.shape().elementCount();
        table.add("  " + entry.name(), entry.type().lowerName(), entry.shape().toString());
      }
      out.printf(
          Locale.ROOT,
          "%n%s with %,d elements%n",
          counted(variables.entries().size(), "variable"),
          elements);
      out.print(table);
      List<Path> missing = variables.missingFiles();
      missing.forEach(file -> out.printf("  missing: %s%n", file.getFileName()));
      return missing.isEmpty();
    } catch (TributaryException e) {
      out.printf("%nVariables cannot be read: %s%n", e.getMessage());
      return false;
    }
  }

  /** Returns false if a file is missing. */
  private static boolean showAssets(PrintWriter out, SavedMetaGraph meta) {
    Map<String, Path> assets = meta.assets();
    if (!assets.isEmpty()) {
      out.printf("%n%s%n", counted(assets.size(), "file"));
      TextTable table = new TextTable();
      assets.forEach(
          (tensor, file) ->
              table.add(
                  "  " + file.getFileName(),
                  Files.exists(file) ? bytes(size(file)) : "missing",
                  tensor));
      out.print(table);
    }
    return assets.values().stream().allMatch(Files::exists);
  }

  private static long size(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      long total = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        total += Files.size(file);
      }
      return total;
    } catch (IOException e) {
      throw FileFailure.of("measure", path, e);
    }
  }

  private static String bytes(long size) {
    String[] units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double value = size;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? size + " bytes" : String.format(Locale.ROOT, "%.1f %s", value, units[unit]);
  }

  // ---- ops ----

  private static void showOps(PrintWriter out, GraphDef graph) {
    List<NodeDef> nodes = new ArrayList<>(graph.getNodeList());
    for (FunctionDef function : graph.getLibrary().getFunctionList()) {
      nodes.addAll(function.getNodeDefList());
    }
    Map<String, Long> counts =
        nodes.stream().collect(Collectors.groupingBy(NodeDef::getOp, Collectors.counting()));
    int functions = graph.getLibrary().getFunctionCount();
    out.printf(
        Locale.ROOT,
        "%n%s of %s%s%n",
        counted(nodes.size(), "node"),
        counted(counts.size(), "op"),
        functions == 0 ? "" : ", some of them in " + counted(functions, "function"));
    TextTable table = new TextTable();
    counts.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(entry -> table.add("  " + entry.getKey(), entry.getValue().toString()));
    out.print(table);
  }

  // ---- what is missing ----

  private static boolean showMissing(PrintWriter out, SavedMetaGraph meta) {
    TextTable table = new TextTable();
    boolean isWhole = true;
    try (Graph graph = Ops.create().graph()) {
      UnknownOps unknown = UnknownOps.of(graph, meta.message().getGraphDef());
      for (Map.Entry<String, SignatureDef> signature : meta.signatures().entrySet()) {
        isWhole &=
            add(
                table,
                "signature " + signature.getKey(),
                unknown.neededBy(SavedMetaGraph.roots(signature.getValue())));
      }
      isWhole &=
          add(
              table,
              "restore of variables",
              unknown.neededBy(meta.restoreOperation().stream().toList()));
      isWhole &= add(table, "initialization", unknown.neededBy(meta.initOperations()));
    }
    out.printf(
        "%n%s%n",
        isWhole ? "All ops that signatures need are supported" : "Ops that are not supported");
    if (!isWhole) {
      out.print(table);
    }
    return isWhole;
  }

  private static boolean add(TextTable table, String user, List<UnknownOps.Use> missing) {
    if (!missing.isEmpty()) {
      table.add("  " + user, UnknownOps.describe(missing));
    }
    return missing.isEmpty();
  }

  private static String counted(int count, String thing) {
    return String.format(Locale.ROOT, "%,d %s%s", count, thing, count == 1 ? "" : "s");
  }
}
