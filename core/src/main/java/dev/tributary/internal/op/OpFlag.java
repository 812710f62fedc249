package dev.tributary.internal.op;

/** Properties of an op that passes and executors ask for beyond what its signature tells. */
public enum OpFlag {
  /** Worth a thread of its own when other nodes are ready. */
  EXPENSIVE,
  /**
   * Runs even when it is dead, then without inputs, since another device waits to be told so. An
   * output that it leaves out is dead.
   */
  RUNS_WHEN_DEAD,
  /** Must not be folded into a constant or merged with its equal, although it keeps no state. */
  NOT_FOLDABLE,
  /** Looks only at the shapes of its inputs, never at their elements. */
  METADATA,
  /** Computes a value together with other devices, which run an op with the same keys. */
  COLLECTIVE,
  /** Passes resources on without using them, so that it may run elsewhere. */
  PASSES_RESOURCES,
  /** Stands for a value that the caller feeds. */
  PLACEHOLDER,
  /** Holds its value in the attribute {@code value}. */
  CONSTANT,
  /** Makes a variable or a mutable table: the state of a model, which sessions share. */
  RESOURCE_MAKER,
  /** Makes a resource that sessions share if it has a {@code shared_name}. */
  SHARED_BY_NAME,
  /**
   * Passes its first input on as it is, so that slices in place of a dense gradient can go through.
   */
  PASSES_SLICES,
  /** Gives its input as it is if it has only one. */
  PASSES_SINGLE_INPUT,
  /** Gives each element of its only input in the output's type. */
  CONVERTS,
  /** Twice in a row gives what went in. */
  UNDOES_ITSELF,
  /** Gives its first input with its dimensions in the order that the second one tells. */
  PERMUTES,
  /** Gives the elements of its first input in the shape that the second one tells. */
  RESHAPES,
  /** Gives its first input where a test of the same element of its second holds, 0 elsewhere. */
  MASKS,
  /** Gives the largest elements of windows over its only input, an image. */
  POOLS_MAXIMA,
  /**
   * Gives an image that is 0 but where the first input, an image, has the largest elements of its
   * windows: these get the elements of the third input. The second one is the pooled image.
   */
  SPREADS_TO_MAXIMA,
  /** Gives, for each channel of its only input, the sum of the elements. */
  SUMS_CHANNELS,
  /** Gives its first input where the second one is 0, with broadcasting. */
  ZERO_ON_THE_RIGHT_KEEPS,
  /** Gives its second input where the first one is 0, with broadcasting. */
  ZERO_ON_THE_LEFT_KEEPS,
  /** Gives its first input where the second one is 1, with broadcasting. */
  ONE_ON_THE_RIGHT_KEEPS,
  /** Gives its second input where the first one is 1, with broadcasting. */
  ONE_ON_THE_LEFT_KEEPS,
  /** Looks at state and leaves it as it is. */
  READS_STATE,
  /** Keeps state, but never waits for anything, neither a value nor another step. */
  NEVER_WAITS,
  /** Calls the function that it is named after, with its attributes. */
  NATIVE_CALL,
  /** Calls the function in its attribute {@code f}. */
  CALLS_FUNCTION,
  /** Calls {@code then_branch} or {@code else_branch}, as its first input says. */
  CALLS_ONE_OF_TWO,
  /** Calls the one of {@code branches} that its first input says. */
  CALLS_ONE_OF_MANY,
  /** Calls {@code body} with its own results for as long as {@code cond} holds. */
  CALLS_IN_LOOP,
  /** Calls {@code body} with each number from its first input to its second one. */
  CALLS_IN_COUNTED_LOOP,
  /** Computes the gradient of the function in its attribute {@code f}. */
  DIFFERENTIATES_FUNCTION,
  /** Calls the function in its attribute {@code f} on the device that its first input names. */
  CALLS_ELSEWHERE,
  /** Its kernel calls functions of the graph, each call as a step inside the step. */
  CALLS_IN_KERNEL
}
