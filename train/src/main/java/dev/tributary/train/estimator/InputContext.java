package dev.tributary.train.estimator;

/**
 * The circumstances for which an input function builds its input, such as the share of a worker.
 *
 * @param workers the number of tasks that train, the chief included
 * @param worker the number of this one, from 0; the chief is 0
 */
public record InputContext(ModeKeys mode, RunConfig config, int workers, int worker) {}
