/**
 * Kernels of image ops: other sizes, parts and places of images, their colours, and boxes in them.
 * Images are [batch, height, width, channels]. Imported by the op declarations.
 */
package dev.tributary.internal.kernel.image;
