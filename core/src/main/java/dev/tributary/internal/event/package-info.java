/**
 * The messages inside event files: summaries with scalars, histograms, images and texts, and the
 * states of a session. Entry type: {@link dev.tributary.internal.event.SummaryBuilder}. Imports
 * tensors and images; the event writer and the kernels of summary ops depend on it.
 */
package dev.tributary.internal.event;
