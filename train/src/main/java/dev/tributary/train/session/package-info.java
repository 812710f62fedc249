/**
 * Sessions that are made ready for training, watched over, and made anew after failures. Start at
 * {@link dev.tributary.train.session.Supervisor}.
 */
package dev.tributary.train.session;
