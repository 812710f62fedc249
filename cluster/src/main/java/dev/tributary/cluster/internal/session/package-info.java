/** Sessions on a cluster, for {@code grpc://} targets. */
package dev.tributary.cluster.internal.session;
