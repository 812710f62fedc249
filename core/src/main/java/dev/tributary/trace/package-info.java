/**
 * The run times of the nodes of a step: {@link dev.tributary.trace.StepTrace}, and {@link
 * dev.tributary.trace.ChromeTrace}, its form for Chrome's trace viewer. Imports nothing; executors
 * fill traces and sessions hand them out.
 */
package dev.tributary.trace;
