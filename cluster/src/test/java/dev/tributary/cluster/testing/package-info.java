/** What tests of the cluster share. */
package dev.tributary.cluster.testing;
