/**
 * Datasets and their iterators. A {@link dev.tributary.internal.kernel.data.Dataset} is the value
 * of a variant tensor: an immutable description. An {@link
 * dev.tributary.internal.kernel.data.ElementIterator} is one pass over it, and an {@link
 * dev.tributary.internal.kernel.data.IteratorResource} is what steps get elements from. No thread
 * waits for an element: whoever asks for one is called back.
 */
package dev.tributary.internal.kernel.data;
