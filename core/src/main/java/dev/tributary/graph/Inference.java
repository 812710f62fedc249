package dev.tributary.graph;

import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/** What is known of an operation's outputs when it is made. */
record Inference(
    List<AttrValue.Type> types,
    List<Shape> shapes,
    List<Shape> handleShapes,
    Optional<KnownValue> value) {}
