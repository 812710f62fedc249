package dev.tributary.train.saver;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.train.variable.GraphKeys;
import java.util.ArrayList;
import java.util.List;

/** An iterator whose position, buffers and random numbers are in checkpoints. */
record SavedIterator(Output resource) implements Saveable {
  /** The iterators of a graph that are to be saved. */
  static List<Saveable> of(Graph graph) {
    List<Saveable> all = new ArrayList<>();
    for (Object element : graph.collection(GraphKeys.SAVEABLE_OBJECTS)) {
      if (element instanceof Output resource && resource.type() == DataType.RESOURCE) {
        all.add(new SavedIterator(resource));
      }
    }
    return all;
  }

  /** TensorFlow's name for the state. */
  @Override
  public String name() {
    return resource.name() + "_STATE";
  }

  @Override
  public DataType type() {
    return DataType.VARIANT;
  }

  @Override
  public Output value(Ops tf) {
    return tf.colocatedWith(resource.operation())
        .scope()
        .operation("SerializeIterator")
        .input(resource)
        .buildOutput();
  }

  @Override
  public Operation restore(Ops beside, Output value) {
    return beside.scope().operation("DeserializeIterator").input(resource).input(value).build();
  }
}
