/**
 * Cuts a placed step graph into one graph for each task or device, with {@code _Send} and {@code
 * _Recv} nodes where an edge crosses. Entry type: {@link
 * dev.tributary.internal.partition.GraphPartitioner}. A master partitions by task, a worker its
 * part by device. Depends on plans.
 */
package dev.tributary.internal.partition;
