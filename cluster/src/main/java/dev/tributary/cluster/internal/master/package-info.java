/**
 * A task that serves clients: keeps their sessions and graphs, plans each kind of step once, and
 * has the workers run it.
 */
package dev.tributary.cluster.internal.master;
