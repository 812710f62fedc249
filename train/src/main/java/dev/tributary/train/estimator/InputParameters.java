package dev.tributary.train.estimator;

import dev.tributary.train.distribute.InputContext;

/**
 * The circumstances for which an input function builds its input.
 *
 * @param inputContext the share of this task among those that train; the chief's id is 0
 */
public record InputParameters(ModeKeys mode, RunConfig config, InputContext inputContext) {}
