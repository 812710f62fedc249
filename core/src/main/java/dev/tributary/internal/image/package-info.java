/**
 * PNG and JPEG images, by the readers and writers of the JDK, which need no screen. Entry types:
 * {@link dev.tributary.internal.image.PngImages} and {@link
 * dev.tributary.internal.image.JpegImages}. Depends on errors alone; kernels depend on it.
 */
package dev.tributary.internal.image;
