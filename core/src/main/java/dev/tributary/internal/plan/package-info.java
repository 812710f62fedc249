/**
 * The part of a graph that one kind of step runs: pruned to its fetches and targets, with feeds and
 * fetches as nodes, ready to be rewritten and compiled. Entry types: {@link
 * dev.tributary.internal.plan.StepGraph} and {@link dev.tributary.internal.plan.Pruner}. Depends on
 * graphs; rewrites and the executor depend on it.
 */
package dev.tributary.internal.plan;
