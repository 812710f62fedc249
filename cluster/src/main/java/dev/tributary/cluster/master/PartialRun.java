package dev.tributary.cluster.master;

import dev.tributary.step.PartialRunProgress;
import dev.tributary.step.PreparedStep;

/**
 * A step that is fed and fetched piece by piece.
 *
 * @param scope its life, from its setup to its last piece
 */
record PartialRun(
    long stepId, PreparedStep<RegisteredStep> step, StepScope scope, PartialRunProgress progress) {}
