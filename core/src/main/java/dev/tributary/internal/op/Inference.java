package dev.tributary.internal.op;

import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.Optional;

/**
 * The known shapes and values of an operation's outputs when it is built.
 *
 * @param handleShapes for each output, the shapes of what a resource in it stands for: one of a
 *     variable, one for each component of a queue, none if nothing is known
 */
public record Inference(
    List<AttrValue.Type> types,
    List<Shape> shapes,
    List<List<Shape>> handleShapes,
    Optional<KnownValue> value) {}
