/**
 * Actions around the steps of a training session: saving, summaries, logging, stopping. Start at
 * {@link dev.tributary.train.hook.SessionRunHook}.
 */
package dev.tributary.train.hook;
