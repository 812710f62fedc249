/**
 * The course: the workloads that Tributary and its peers are measured on, side by side. {@link
 * dev.tributary.bench.Course} is the program that the peers' driver starts; {@code jmh} below holds
 * the benchmarks of single claims. Nothing here is published, and nothing imports it.
 */
package dev.tributary.bench;
