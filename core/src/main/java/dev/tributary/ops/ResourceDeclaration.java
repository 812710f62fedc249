package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.tensor.Shape;

/** Begins declarations of ops that make or use a resource, with either form of its handle. */
final class ResourceDeclaration {
  private ResourceDeclaration() {}

  /** TensorFlow's name for the form of an op: {@code QueueSize} and {@code QueueSizeV2}. */
  static String versioned(String name, HandleForm form) {
    return form == HandleForm.REFERENCE ? name : name + "V2";
  }

  /** An op that makes a resource; its only output is the handle. */
  static Declaration maker(String name, HandleForm form, String handle) {
    Shape shape = form == HandleForm.REFERENCE ? Shape.of(2) : Shape.scalar();
    return op(name).output(handle + type(form)).stateful().shape(c -> c.output(0, shape));
  }

  /** An op whose first input is the handle. */
  static Declaration user(String name, HandleForm form, String handle) {
    Declaration declaration = op(name).input(handle + type(form));
    return form == HandleForm.REFERENCE ? declaration : declaration.stateful();
  }

  /** The type of a handle in the notation of arguments. */
  static String type(HandleForm form) {
    return form == HandleForm.REFERENCE ? ": Ref(string)" : ": resource";
  }
}
