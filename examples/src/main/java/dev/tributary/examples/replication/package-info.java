/**
 * The two ways to train one model by many workers: in one graph, whose client gives each worker a
 * part of it, or between graphs, where each worker builds its own and only the variables are
 * shared.
 */
package dev.tributary.examples.replication;
