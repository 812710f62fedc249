/**
 * Sessions for training: they initialize or restore the model, run hooks, and are replaced by new
 * ones after failures. Start at {@link dev.tributary.train.session.MonitoredTrainingSession}, or at
 * {@link dev.tributary.train.session.Supervisor}.
 */
package dev.tributary.train.session;
