/**
 * Reverse-mode differentiation: adds to a graph the operations that compute gradients. Entry type:
 * {@link dev.tributary.gradients.Gradients}. A graph is walked back part by part ({@code
 * Differentiation}): an operation, whose declaration knows its rule, a whole cond or a whole while
 * loop, whose insides are walked in turn. Depends on op families and control flow.
 */
package dev.tributary.gradients;
