/**
 * Measurements of the training library: synchronous beside asynchronous training, checkpoints
 * beside the disk, and what trained models recognise. {@link
 * dev.tributary.bench.training.TrainingSuite} is the program; {@code bench/training} starts it once
 * for each line and lets it make a table of what all have said, with the goal of each.
 */
package dev.tributary.bench.training;
