/**
 * Which parameter server holds what. Start at {@link
 * dev.tributary.train.placement.ReplicaDeviceSetter}.
 */
package dev.tributary.train.placement;
