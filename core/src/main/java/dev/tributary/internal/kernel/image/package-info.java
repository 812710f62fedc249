/**
 * Kernels of image ops: resizing, cropping, and the choice among overlapping boxes. Images are
 * [batch, height, width, channels]. Imported by the op declarations.
 */
package dev.tributary.internal.kernel.image;
