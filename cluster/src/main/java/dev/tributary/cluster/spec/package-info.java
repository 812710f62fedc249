/** Which tasks a cluster has and where they listen. */
package dev.tributary.cluster.spec;
