/**
 * The canonical error codes and the one exception that carries them. Entry type: {@link
 * dev.tributary.error.TributaryException}. Everybody may import this package; it imports nothing.
 */
package dev.tributary.error;
