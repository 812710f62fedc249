/**
 * Reverse-mode differentiation: adds to a graph the operations that compute gradients. Entry type: {@link
 * dev.tributary.gradients.Gradients}. Asks each op's declaration for its rule; stands on op families.
 */
package dev.tributary.gradients;
