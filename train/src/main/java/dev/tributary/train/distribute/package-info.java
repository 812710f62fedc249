/**
 * Distribution strategies: one training function that is built for several replicas, with variables
 * and input that know about them. {@link dev.tributary.train.distribute.Strategy} is the entry. The
 * packages of optimizers, layers and metrics use it, so that they work in replicas.
 */
package dev.tributary.train.distribute;
