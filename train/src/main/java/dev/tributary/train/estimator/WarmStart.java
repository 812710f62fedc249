package dev.tributary.train.estimator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.BundleFiles;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableSlice;
import dev.tributary.session.Session;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.variable.Variables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The model whose values the variables of an estimator begin with. It matters only where there is
 * no checkpoint of the estimator's own. Immutable.
 *
 * <pre>{@code
 * WarmStart.from(Path.of("old-model")).withVariables("dnn/.*")
 * }</pre>
 *
 * @param from a folder of checkpoints, the prefix of one, or a SavedModel
 * @param patterns select variables by a match at the start of their names
 * @param onlyTrainable whether variables that optimizers leave alone are not selected
 * @param vocabularies variables whose rows or columns belong to the words of a vocabulary
 * @param previousNames names in the old model, by those in this one
 */
public record WarmStart(
    Path from,
    List<String> patterns,
    boolean onlyTrainable,
    Map<String, VocabularyChange> vocabularies,
    Map<String, String> previousNames) {
  public WarmStart {
    patterns = List.copyOf(patterns);
    vocabularies = Collections.unmodifiableMap(new LinkedHashMap<>(vocabularies));
    previousNames = Map.copyOf(previousNames);
  }

  /** Returns a start with all trainable variables of a model. */
  public static WarmStart from(Path model) {
    return new WarmStart(model, List.of(".*"), true, Map.of(), Map.of());
  }

  /** Returns a start with the trainable variables whose names begin with a regular expression. */
  public WarmStart withVariables(String pattern) {
    return new WarmStart(from, List.of(pattern), true, vocabularies, previousNames);
  }

  /** Returns a start with any variables, slots of optimizers included. */
  public WarmStart withAllVariables(String... newPatterns) {
    return new WarmStart(from, List.of(newPatterns), false, vocabularies, previousNames);
  }

  /** Takes a variable's value from one of another name. */
  public WarmStart withPreviousName(String variable, String previous) {
    Map<String, String> more = new LinkedHashMap<>(previousNames);
    more.put(variable, previous);
    return new WarmStart(from, patterns, onlyTrainable, vocabularies, more);
  }

  /** Moves the rows of a variable to the places that their words have in a new vocabulary. */
  public WarmStart withVocabulary(String variable, VocabularyChange change) {
    Map<String, VocabularyChange> more = new LinkedHashMap<>(vocabularies);
    more.put(variable, change);
    return new WarmStart(from, patterns, onlyTrainable, more, previousNames);
  }

  /** Adds operations to a graph, and returns a function that sets the variables in a session. */
  Consumer<Session> initializer(Ops tf) {
    Path prefix = prefix();
    List<WarmVariable> selected = new ArrayList<>();
    Set<String> unused = new HashSet<>(vocabularies.keySet());
    unused.addAll(previousNames.keySet());
    for (Variable variable : candidates(tf)) {
      String name = nameOf(variable);
      boolean isNamed = unused.remove(name) || vocabularies.containsKey(name);
      if (isNamed || isSelected(name)) {
        selected.add(
            WarmVariable.of(
                tf,
                variable,
                previousNames.getOrDefault(name, name),
                Optional.ofNullable(vocabularies.get(name))));
      }
    }
    if (!unused.isEmpty()) {
      throw TributaryException.notFound(
          "the warm start names variables %s, which the model does not have; it has %s",
          unused, candidates(tf).stream().map(WarmStart::nameOf).distinct().toList());
    }
    return session -> WarmVariable.setAll(selected, prefix, session);
  }

  private List<Variable> candidates(Ops tf) {
    return onlyTrainable ? Variables.trainable(tf.graph()) : Variables.global(tf.graph());
  }

  private boolean isSelected(String name) {
    return patterns.stream().anyMatch(p -> Pattern.compile(p).matcher(name).lookingAt());
  }

  static String nameOf(Variable variable) {
    return variable.slice().map(VariableSlice::fullName).orElseGet(variable::name);
  }

  private Path prefix() {
    Path variables = from.resolve("variables").resolve("variables");
    if (Files.exists(BundleFiles.index(variables))) {
      return variables;
    }
    Optional<Path> found =
        Files.isDirectory(from)
            ? Saver.latestCheckpoint(from)
            : Optional.of(from).filter(path -> Files.exists(BundleFiles.index(path)));
    return found.orElseThrow(
        () ->
            TributaryException.notFound(
                "the warm start %s is no checkpoint, no folder with checkpoints and no SavedModel",
                from));
  }
}
