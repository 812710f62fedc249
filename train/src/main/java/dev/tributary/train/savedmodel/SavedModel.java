package dev.tributary.train.savedmodel;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.train.internal.savedmodel.ModelVariables;
import dev.tributary.train.internal.savedmodel.SavedMetaGraph;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A model that was loaded from a folder: exported by TensorFlow 1 or 2, by TF Java or by {@link
 * #save}. It has a graph and a session of its own, which are closed with it.
 *
 * <pre>{@code
 * try (SavedModel model = SavedModel.load(Path.of("models/half_plus_two/1"))) {
 *   Value y = model.signature("serving_default").call(Map.of("x", new float[] {1, 2})).get("y");
 * }
 * }</pre>
 *
 * <p>Ops that are not supported do not prevent loading unless variables or tables need them; they
 * and all that depends on them are left out of the graph, and {@link #signature} reports those that
 * it needs. Many threads may use a model at once.
 */
public final class SavedModel implements AutoCloseable {
  /** The tag of meta graphs for inference. */
  public static final String SERVE = SavedMetaGraph.SERVE;

  /** The key of the signature that is used when none is named. */
  public static final String SERVING_DEFAULT = "serving_default";

  private final Path folder;
  private final Set<String> tags;
  private final Session session;
  private final SortedMap<String, Signature> signatures;

  SavedModel(
      Path folder, Set<String> tags, Session session, SortedMap<String, Signature> signatures) {
    this.folder = folder;
    this.tags = Set.copyOf(tags);
    this.session = session;
    this.signatures = Collections.unmodifiableSortedMap(new TreeMap<>(signatures));
  }

  /** Loads the meta graph with the tag {@value #SERVE}. */
  public static SavedModel load(Path folder) {
    return load(folder, Set.of(SERVE), SessionOptions.defaults());
  }

  /**
   * Loads the meta graph with exactly these tags: imports the graph, restores the variables and
   * runs the init op.
   */
  public static SavedModel load(Path folder, Set<String> tags, SessionOptions options) {
    return new SavedModelLoader(folder, tags, options).load();
  }

  /** Saves the model of a session with the tag {@value #SERVE}; see the other method. */
  public static void save(Path folder, Session session, Map<String, SignatureDef> signatures) {
    save(folder, session, signatures, Set.of(SERVE));
  }

  /**
   * Saves the model of a session: its graph, its global variables with their values, the files that
   * its tables are filled from, and signatures. Stock TensorFlow, TF Java and TF Serving load it.
   * The folder appears when all is written; it must not exist, or be empty. The graph and the
   * session stay as they are.
   *
   * @param signatures by the names under which callers find them, see {@link #SERVING_DEFAULT}
   */
  public static void save(
      Path folder, Session session, Map<String, SignatureDef> signatures, Set<String> tags) {
    saveAll(folder, List.of(new Variant(session, signatures, tags)));
  }

  /**
   * One of the meta graphs of a SavedModel, such as the one for training.
   *
   * @param tags tell it from the others
   */
  public record Variant(Session session, Map<String, SignatureDef> signatures, Set<String> tags) {
    public Variant {
      signatures = Map.copyOf(signatures);
      tags = Set.copyOf(tags);
    }
  }

  /**
   * Saves a model with several meta graphs, which share the variables of the first one; see the
   * other methods.
   */
  public static void saveAll(Path folder, List<Variant> variants) {
    new SavedModelWriter(variants).write(folder);
  }

  public Path folder() {
    return folder;
  }

  public Set<String> tags() {
    return tags;
  }

  /** All signatures by their keys, also those that cannot run ({@link Signature#problem}). */
  public SortedMap<String, Signature> signatures() {
    return signatures;
  }

  /**
   * Returns the signature of this key. NOT_FOUND lists those that exist; UNIMPLEMENTED names the
   * ops and nodes that keep it from running.
   */
  public Signature signature(String key) {
    Signature signature = signatures.get(key);
    if (signature == null) {
      throw TributaryException.notFound(
          "the SavedModel %s has no signature '%s', it has %s", folder, key, signatures.keySet());
    }
    signature.requireUsable();
    return signature;
  }

  /**
   * The graph, with the collections of variables and operations that came along. It may be
   * extended, for instance to train on.
   */
  public Graph graph() {
    return session.graph();
  }

  /** The names of the variables that the model came with, for {@link #variable}. */
  public List<String> variableNames() {
    if (!SavedMetaGraph.hasVariables(folder)) {
      return List.of();
    }
    try (ModelVariables variables = ModelVariables.open(SavedMetaGraph.variables(folder))) {
      return variables.entries().stream().map(ModelVariables.Entry::name).toList();
    }
  }

  /**
   * Reads a variable from the files of the model: its value as it was saved.
   *
   * @param name the path of the variable among the Python objects of a model of TensorFlow 2, such
   *     as {@code layers[0].kernel} or {@code layers/0/kernel}, or its name in the graph
   */
  public Value variable(String name) {
    if (!SavedMetaGraph.hasVariables(folder)) {
      throw TributaryException.notFound("the SavedModel %s has no variables", folder);
    }
    try (ModelVariables variables = ModelVariables.open(SavedMetaGraph.variables(folder));
        Tensor value = variables.read(name)) {
      return Value.copyOf(value);
    }
  }

  /** The session that holds the variables and tables. */
  public Session session() {
    return session;
  }

  /** Closes the session and the graph. */
  @Override
  public void close() {
    session.close();
    session.graph().close();
  }
}
