package dev.tributary.internal.kernel.comm;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;

/** The places where an op has its keys and the size of its group. */
@FunctionalInterface
interface CollectiveKeys {
  CollectiveCall.Keys of(KernelContext context);

  /** The first forms of the ops have attributes. */
  static CollectiveKeys ofAttributes(KernelNode node) {
    int size = node.attributes().int32("group_size");
    int group = node.attributes().int32("group_key");
    int instance = node.attributes().int32("instance_key");
    return context -> keys(context, size, group, instance);
  }

  /** Later forms have scalar inputs, one after the other. */
  static CollectiveKeys ofInputs(int first) {
    return context ->
        keys(
            context,
            scalar(context, first, "group_size"),
            scalar(context, first + 1, "group_key"),
            scalar(context, first + 2, "instance_key"));
  }

  private static int scalar(KernelContext context, int input, String name) {
    if (!context.input(input).shape().isScalar()) {
      throw TributaryException.invalidArgument(
          "%s must be a scalar, got shape %s", name, context.input(input).shape());
    }
    return context.input(input).intValue();
  }

  private static CollectiveCall.Keys keys(
      KernelContext context, int size, int group, int instance) {
    if (size < 1) {
      throw TributaryException.invalidArgument("group_size must be 1 or more, got %d", size);
    }
    return new CollectiveCall.Keys(group, size, instance, context.frameId(), context.iteration());
  }
}
