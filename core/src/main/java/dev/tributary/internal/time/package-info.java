/**
 * Time, as limits and pauses see it: a {@link dev.tributary.internal.time.Ticker} to measure it, a
 * {@link dev.tributary.internal.time.Timer} to do something later. Both are constructor arguments,
 * so that tests replace them by one clock that they move themselves.
 *
 * <p>Code that only measures how long something took, for a trace, a log line or a benchmark, reads
 * {@link System#nanoTime} itself: nothing is decided by the result. So does code that passes a
 * limit on to a wait of the JDK, which no clock of ours could shorten.
 */
package dev.tributary.internal.time;
