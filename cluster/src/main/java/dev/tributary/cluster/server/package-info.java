/**
 * One task of a cluster in this process: its devices, its worker, its master, and the port they are
 * reached at.
 */
package dev.tributary.cluster.server;
