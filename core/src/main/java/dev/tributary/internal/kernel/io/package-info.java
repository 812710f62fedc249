/**
 * Kernels of ops that touch files, or take apart what is in them: checkpoints, whole files, readers
 * of records, lines of CSV, examples, images. Files are opened by the device's {@link
 * dev.tributary.internal.file.FileRoot} only, and on its file threads: see {@link
 * dev.tributary.internal.kernel.io.FileKernel}. Depends on the formats; the declarations of the ops
 * depend on it.
 */
package dev.tributary.internal.kernel.io;
