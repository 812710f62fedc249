/**
 * Training sessions with hooks, which do something around each step: save, count, stop. Start at
 * {@link dev.tributary.train.monitored.MonitoredSession}.
 */
package dev.tributary.train.monitored;
