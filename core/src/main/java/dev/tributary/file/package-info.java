/**
 * Shared parts of all code that touches files: where it may go ({@link
 * dev.tributary.file.FileRoot}), how a file appears whole or not at all ({@link
 * dev.tributary.file.PartFile}, {@link dev.tributary.file.UncachedFile} for large ones, and {@link
 * dev.tributary.file.AbandonedParts} for those of killed processes), and what an I/O failure is
 * called ({@link dev.tributary.file.FileFailure}). Stands on errors alone; the format packages and
 * the kernels of file ops stand on it.
 */
package dev.tributary.file;
