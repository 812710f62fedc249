/**
 * Kernels of ops that touch files, or take apart what is in them: checkpoints, whole files, readers
 * of records, lines of CSV, examples, images. Every file name goes through the device's {@link
 * dev.tributary.file.FileRoot}. Stands on the formats; the declarations of the ops stand on it.
 */
package dev.tributary.kernel.io;
