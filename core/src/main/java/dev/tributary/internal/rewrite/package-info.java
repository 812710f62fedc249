/**
 * Passes which make a step graph cheaper to run without changing what it gives. Each is one class
 * with one entry method that works on a {@link dev.tributary.internal.plan.StepGraph} in place, and
 * takes time linear in its size. Depends on the executor, which runs single nodes for constant
 * folding; sessions depend on it.
 */
package dev.tributary.internal.rewrite;
