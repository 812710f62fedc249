/**
 * Placement of variables on parameter servers. Start at {@link
 * dev.tributary.train.placement.ReplicaDeviceSetter}.
 */
package dev.tributary.train.placement;
