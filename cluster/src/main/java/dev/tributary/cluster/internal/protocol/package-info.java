/**
 * What a master and a worker are asked to do, whoever asks and from wherever: in this process the
 * interfaces are called as they are, between processes {@code rpc} carries them.
 */
package dev.tributary.cluster.internal.protocol;
