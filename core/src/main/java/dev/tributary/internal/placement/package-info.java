/**
 * Decides on which device each node of a step graph runs, from what the client asked for, from what
 * must stay together, and from the devices there are. Entry type: {@link
 * dev.tributary.internal.placement.Placer}. A local session uses it with its one device, a master
 * with those of a cluster. Depends on plans.
 */
package dev.tributary.internal.placement;
