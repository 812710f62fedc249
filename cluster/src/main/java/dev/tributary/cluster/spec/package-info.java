/** The tasks of a cluster and their addresses. */
package dev.tributary.cluster.spec;
