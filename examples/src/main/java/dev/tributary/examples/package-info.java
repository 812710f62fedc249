/**
 * Programs that show the library at work, behind one command. Entry type: {@link
 * dev.tributary.examples.Main}.
 */
package dev.tributary.examples;
