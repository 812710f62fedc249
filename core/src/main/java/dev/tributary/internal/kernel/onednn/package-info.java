/**
 * The hot primitives through oneDNN, by way of JavaCPP's preset. Entry type: {@link
 * dev.tributary.internal.kernel.onednn.OneDnnBackend}; the session finds out whether it can be
 * used, so nothing else may name a class of this package. What oneDNN cannot do exactly as {@code
 * kernel.plain} defines it, or not faster, stays there.
 */
package dev.tributary.internal.kernel.onednn;
