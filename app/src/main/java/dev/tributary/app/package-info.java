/**
 * The {@code tributary} command, one class for each subcommand. Entry type: {@link
 * dev.tributary.app.Main}. Nobody imports it.
 */
package dev.tributary.app;
