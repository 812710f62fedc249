package dev.tributary.train.internal.savedmodel;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.bundle.BundleEntry;
import dev.tributary.internal.bundle.BundleReader;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.TrackableObjectGraphOuterClass.TrackableObjectGraph;
import org.tensorflow.proto.TrackableObjectGraphOuterClass.TrackableObjectGraph.TrackableObject;

/**
 * The variables in the checkpoint of a model. TensorFlow 2 saves them by where they are among the
 * Python objects of the model: {@code layers/0/kernel} is {@code model.layers[0].kernel}. The
 * checkpoint holds a graph of these objects, in which a variable may have several such paths.
 */
public final class ModelVariables implements AutoCloseable {
  private static final String OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH";
  private static final String VALUE = "VARIABLE_VALUE";
  private static final String ATTRIBUTES = "/.ATTRIBUTES/";

  /**
   * A variable.
   *
   * @param name its shortest path among the objects, or its name in a checkpoint without objects
   * @param key its name in the checkpoint
   * @param graphName its name in the graph
   */
  public record Entry(String name, String key, String graphName, DataType type, Shape shape) {}

  private final Path prefix;
  private final BundleReader checkpoint;
  private final TrackableObjectGraph objects;
  private final List<Entry> entries;

  private ModelVariables(Path prefix, BundleReader checkpoint) {
    this.prefix = prefix;
    this.checkpoint = checkpoint;
    this.objects = objects();
    this.entries = List.copyOf(list());
  }

  /** Opens the checkpoint with this prefix. */
  public static ModelVariables open(Path prefix) {
    BundleReader checkpoint = BundleReader.open(prefix);
    try {
      return new ModelVariables(prefix, checkpoint);
    } catch (RuntimeException | Error e) {
      checkpoint.close();
      throw e;
    }
  }

  /** All variables, sorted by their names in the checkpoint. */
  public List<Entry> entries() {
    return entries;
  }

  /** The files with values that are not there; what the checkpoint lists can be read without. */
  public List<Path> missingFiles() {
    return checkpoint.missingFiles();
  }

  /**
   * Reads a variable, for the caller to close. NOT_FOUND lists the names that exist.
   *
   * @param name a path with dots or slashes, {@code layers[0].kernel} or {@code layers/0/kernel}; a
   *     name in the graph; or a name in the checkpoint
   */
  public Tensor read(String name) {
    Optional<String> key =
        byPath(name)
            .or(
                () ->
                    entries.stream().filter(e -> e.key().equals(name)).findFirst().map(Entry::key))
            .or(
                () ->
                    entries.stream()
                        .filter(e -> e.graphName().equals(name))
                        .findFirst()
                        .map(Entry::key));
    return checkpoint.read(
        key.orElseThrow(
            () ->
                TributaryException.notFound(
                    "checkpoint %s has no variable '%s', it has %s",
                    prefix, name, entries.stream().map(Entry::name).limit(20).toList())));
  }

  @Override
  public void close() {
    checkpoint.close();
  }

  private TrackableObjectGraph objects() {
    if (checkpoint.find(OBJECT_GRAPH).isEmpty()) {
      return TrackableObjectGraph.getDefaultInstance();
    }
    try (Tensor bytes = checkpoint.read(OBJECT_GRAPH)) {
      if (bytes.type() != DataType.STRING || bytes.elementCount() != 1) {
        throw damaged("it is not a single string", null);
      }
      return TrackableObjectGraph.parseFrom((byte[]) bytes.objects()[0]);
    } catch (InvalidProtocolBufferException e) {
      throw damaged(e.getMessage(), e);
    }
  }

  private TributaryException damaged(String reason, Throwable cause) {
    return new TributaryException(
        ErrorCode.DATA_LOSS,
        "the object graph of checkpoint " + prefix + " cannot be read: " + reason,
        cause);
  }

  private List<Entry> list() {
    Map<String, String> paths = new HashMap<>();
    Map<String, String> graphNames = new HashMap<>();
    walk(paths, graphNames);
    List<Entry> all = new ArrayList<>();
    for (String key : checkpoint.names()) {
      if (!key.equals(OBJECT_GRAPH)) {
        BundleEntry entry = checkpoint.entry(key);
        int attributes = key.indexOf(ATTRIBUTES);
        String shortKey = attributes < 0 ? key : key.substring(0, attributes);
        all.add(
            new Entry(
                paths.getOrDefault(key, shortKey),
                key,
                graphNames.getOrDefault(key, key),
                entry.type(),
                entry.shape()));
      }
    }
    return all;
  }

  /** Visits the nearest objects first, so that a variable gets its shortest path. */
  private void walk(Map<String, String> paths, Map<String, String> graphNames) {
    if (objects.getNodesCount() == 0) {
      return;
    }
    String[] pathOf = new String[objects.getNodesCount()];
    Deque<Integer> open = new ArrayDeque<>();
    pathOf[0] = "";
    open.add(0);
    while (!open.isEmpty()) {
      int at = open.remove();
      TrackableObject object = objects.getNodes(at);
      for (TrackableObject.SerializedTensor value : object.getAttributesList()) {
        if (value.getName().equals(VALUE)) {
          paths.putIfAbsent(value.getCheckpointKey(), pathOf[at]);
          graphNames.putIfAbsent(value.getCheckpointKey(), value.getFullName());
        }
      }
      for (TrackableObject.ObjectReference child : object.getChildrenList()) {
        int id = child.getNodeId();
        if (id >= 0 && id < pathOf.length && pathOf[id] == null) {
          pathOf[id] =
              pathOf[at].isEmpty() ? child.getLocalName() : pathOf[at] + "/" + child.getLocalName();
          open.add(id);
        }
      }
    }
  }

  /** The key of the variable at a path, which need not be the shortest one. */
  private Optional<String> byPath(String path) {
    if (objects.getNodesCount() == 0) {
      return Optional.empty();
    }
    int at = 0;
    for (String name : path.replace("[", ".").replace("]", "").split("[./]")) {
      Optional<Integer> next =
          objects.getNodes(at).getChildrenList().stream()
              .filter(child -> child.getLocalName().equals(name))
              .map(TrackableObject.ObjectReference::getNodeId)
              .filter(id -> id >= 0 && id < objects.getNodesCount())
              .findFirst();
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get();
    }
    return objects.getNodes(at).getAttributesList().stream()
        .filter(value -> value.getName().equals(VALUE))
        .map(TrackableObject.SerializedTensor::getCheckpointKey)
        .findFirst();
  }
}
