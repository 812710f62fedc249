/**
 * Commands that show what is in files: checkpoints and event files. Entry types: {@link
 * dev.tributary.app.files.CheckpointCommand} and {@link dev.tributary.app.files.EventsCommand}.
 */
package dev.tributary.app.files;
