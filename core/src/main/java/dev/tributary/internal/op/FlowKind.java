package dev.tributary.internal.op;

/** The part an op plays in control flow. The executor acts on this, never on names. */
public enum FlowKind {
  NONE,
  /** Outputs that the kernel leaves out are dead. */
  SWITCH,
  /** Runs when the first live input arrives; dead only if all are. */
  MERGE,
  /** Carries a value into a frame. */
  ENTER,
  /** Carries a value out of a frame. */
  EXIT,
  /** Carries a value into the next iteration. */
  NEXT_ITERATION,
  LOOP_COND,
  /** Runs even when its control inputs are dead. */
  CONTROL_TRIGGER
}
