/**
 * Image files: PNG and JPEG by the readers and writers of the JDK, which need no screen, GIF and
 * BMP by readers of our own, which read what TensorFlow reads. Entry types: {@link
 * dev.tributary.internal.image.ImageKind} and the class named for each format. Depends on errors
 * alone; kernels depend on it.
 */
package dev.tributary.internal.image;
