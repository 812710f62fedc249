/**
 * Variables of a model: scopes that share them by name, initialisers, partitions, collections and
 * the global step. Start at {@link dev.tributary.train.variable.VariableScope}. Sees core only.
 */
package dev.tributary.train.variable;
