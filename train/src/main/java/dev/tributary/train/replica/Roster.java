package dev.tributary.train.replica;

/**
 * Who takes part in the steps of the model, as far as the chief knows. {@link SyncRunner} makes
 * step after step in one thread and looks in another one; any of its threads may call.
 */
interface Roster {
  /** What the next step waits for and gives out. */
  StepPlan next();

  /** The step that was planned last has been made. */
  void made();

  /**
   * Looks who is there, and whether the step that was planned last can never end, because it waits
   * for workers that are gone. Then it is to be cancelled. Called by one thread only.
   */
  boolean isStuck();

  /** The step that was planned last was cancelled. Sees to it that the next one can be made. */
  void recover();

  /** Whether all workers are gone, after which no step will end any more. */
  boolean allLeft();
}
