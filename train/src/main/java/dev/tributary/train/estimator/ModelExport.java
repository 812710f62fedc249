package dev.tributary.train.estimator;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.session.Session;
import dev.tributary.tensor.DataType;
import dev.tributary.train.savedmodel.SavedModel;
import dev.tributary.train.savedmodel.SignatureDef;
import dev.tributary.train.session.Scaffold;
import dev.tributary.train.session.SessionManager;
import dev.tributary.train.variable.GraphKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/** One export of an estimator. Confined to one thread. */
final class ModelExport {
  private static final int ATTEMPTS = 10;

  private final Estimator<?> estimator;
  private final Map<ModeKeys, ServingInputReceiver.Source> receivers;
  private final ExportOptions options;

  ModelExport(
      Estimator<?> estimator,
      Map<ModeKeys, ServingInputReceiver.Source> receivers,
      ExportOptions options) {
    this.estimator = estimator;
    this.receivers = Map.copyOf(receivers);
    this.options = options;
    if (receivers.isEmpty()) {
      throw TributaryException.invalidArgument("an export needs a receiver for a mode or more");
    }
  }

  /** Exports to a new folder, which appears when it is complete. */
  Path to(Path base) {
    Path checkpoint = options.checkpoint().orElseGet(estimator::requireCheckpoint);
    Path target = free(base);
    Path part = target.resolveSibling("temp-" + target.getFileName());
    export(checkpoint, part);
    try {
      for (Map.Entry<String, Path> extra : options.extraAssets().entrySet()) {
        Path file = part.resolve("assets.extra").resolve(extra.getKey());
        Files.createDirectories(file.getParent());
        Files.copy(extra.getValue(), file);
      }
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw FileFailure.of("export a model", target, e);
    }
    return target;
  }

  /** Folders are called by the second, so two exports may have to wait for each other. */
  private static Path free(Path base) {
    long second = System.currentTimeMillis() / 1000;
    for (int i = 0; i < ATTEMPTS; i++) {
      Path folder = base.resolve(Long.toString(second + i));
      if (!Files.exists(folder)) {
        return folder;
      }
    }
    throw new TributaryException(
        ErrorCode.ALREADY_EXISTS, base + " has folders for this and the next seconds already");
  }

  /** Only the first mode's variables are written: those for training have the slots, too. */
  private void export(Path checkpoint, Path folder) {
    try (OpenModes open = new OpenModes()) {
      List<SavedModel.Variant> variants = new ArrayList<>();
      for (ModeKeys mode : ModeKeys.values()) {
        if (receivers.containsKey(mode)) {
          variants.add(open.variant(mode, checkpoint));
        }
      }
      SavedModel.saveAll(folder, variants);
    }
  }

  /** The graphs and sessions of an export, closed together. */
  private final class OpenModes implements AutoCloseable {
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    SavedModel.Variant variant(ModeKeys mode, Path checkpoint) {
      ServingInputReceiver.Source source = receivers.get(mode);
      ServingInputReceiver[] receiver = new ServingInputReceiver[1];
      ModelGraph model =
          ModelGraph.of(
              estimator,
              mode,
              tf -> {
                receiver[0] = source.apply(tf);
                return receiver[0].batch();
              });
      open.push(model);
      Scaffold scaffold = model.trained(Optional.of(checkpoint)).completed(model.tf());
      Session session =
          new SessionManager(scaffold)
              .withWaits(Duration.ofMillis(10), Duration.ofMinutes(1))
              .prepareSession(() -> Session.local(model.graph()), Optional.empty());
      open.push(session);
      addMainOp(model.graph(), scaffold);
      if (mode == ModeKeys.PREDICT) {
        Map<String, SignatureDef> signatures = signatures(model.spec(), receiver[0]);
        return new SavedModel.Variant(session, signatures, Set.of(SavedModel.SERVE));
      }
      String tag = mode.key();
      Map<String, SignatureDef> signatures =
          Map.of(tag, SupervisedSignature.of(model, receiver[0].receivers()));
      return new SavedModel.Variant(session, signatures, Set.of(tag));
    }

    /** The model is ready when loaders have filled tables and set counters of metrics to zero. */
    private void addMainOp(Graph graph, Scaffold scaffold) {
      Operation localInit = scaffold.localInitOp().orElseThrow();
      if (graph.collection(GraphKeys.MAIN_OP).isEmpty() && !localInit.controlInputs().isEmpty()) {
        graph.addToCollection(GraphKeys.MAIN_OP, localInit);
      }
    }

    @Override
    public void close() {
      while (!open.isEmpty()) {
        try {
          open.pop().close();
        } catch (RuntimeException e) {
          throw e;
        } catch (Exception e) {
          throw TributaryException.internal("an exported graph did not close: %s", e);
        }
      }
    }
  }

  private static Map<String, SignatureDef> signatures(
      EstimatorSpec spec, ServingInputReceiver receiver) {
    Map<String, SignatureDef> signatures = new LinkedHashMap<>();
    add(signatures, "", receiver.receivers(), spec);
    receiver.alternatives().forEach((name, tensors) -> add(signatures, name + ":", tensors, spec));
    if (signatures.isEmpty()) {
      throw TributaryException.failedPrecondition(
          "the model has classification and regression outputs only, which need an input of"
              + " serialized examples: use ServingInputReceiver.parsing");
    }
    return signatures;
  }

  private static void add(
      Map<String, SignatureDef> signatures,
      String prefix,
      SortedMap<String, Output> inputs,
      EstimatorSpec spec) {
    spec.signatures()
        .forEach(
            (key, output) ->
                signature(inputs, output)
                    .ifPresent(signature -> signatures.put(prefix + key, signature)));
  }

  /** Classification and regression take serialized examples; with other inputs there are none. */
  private static Optional<SignatureDef> signature(
      SortedMap<String, Output> inputs, ExportOutput output) {
    if (output instanceof ExportOutput.Predict predict) {
      SignatureDef signature = SignatureDef.predict();
      for (Map.Entry<String, Output> input : inputs.entrySet()) {
        signature = signature.withInput(input.getKey(), input.getValue());
      }
      for (Map.Entry<String, Output> each : predict.outputs().entrySet()) {
        signature = signature.withOutput(each.getKey(), each.getValue());
      }
      return Optional.of(signature);
    }
    List<Output> receivers = List.copyOf(inputs.values());
    if (receivers.size() != 1 || receivers.get(0).type() != DataType.STRING) {
      return Optional.empty();
    }
    SignatureDef signature = SignatureDef.predict().withInput("inputs", receivers.get(0));
    if (output instanceof ExportOutput.Regression regression) {
      return Optional.of(
          signature.withMethodName(SignatureDef.REGRESS).withOutput("outputs", regression.value()));
    }
    ExportOutput.Classification classification = (ExportOutput.Classification) output;
    signature = signature.withMethodName(SignatureDef.CLASSIFY);
    if (classification.classes().isPresent()) {
      signature = signature.withOutput("classes", classification.classes().get());
    }
    if (classification.scores().isPresent()) {
      signature = signature.withOutput("scores", classification.scores().get());
    }
    return Optional.of(signature);
  }
}
