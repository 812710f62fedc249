/**
 * Clusters: how servers are started, how a program says where its nodes go, and how sessions on
 * several servers share variables. Every program takes the addresses of its cluster from the
 * command line, so that the same one runs on one machine and on many.
 */
package dev.tributary.examples.cluster;
