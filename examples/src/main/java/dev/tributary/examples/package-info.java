/** Programs that show the library at work, by topic. Each has a {@code main} and runs in a test. */
package dev.tributary.examples;
