/**
 * Shared parts of all code that touches files: where the ops of graphs may go and how they open
 * files ({@link dev.tributary.internal.file.FileRoot}), the threads on which they wait for them
 * ({@link dev.tributary.internal.file.FileThreads}), how a file appears whole or not at all ({@link
 * dev.tributary.internal.file.PartFile}, {@link dev.tributary.internal.file.UncachedFile} for large
 * ones, and {@link dev.tributary.internal.file.AbandonedParts} for those of killed processes), the
 * checksum of records and checkpoints ({@link dev.tributary.internal.file.MaskedCrc}), and what an
 * I/O failure is called ({@link dev.tributary.internal.file.FileFailure}). Depends on errors alone;
 * the format packages and the kernels of file ops depend on it.
 */
package dev.tributary.internal.file;
