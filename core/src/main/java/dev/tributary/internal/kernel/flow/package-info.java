/**
 * Data structures of a step: stacks, tensor arrays, and the kernels of stitching and partitioning.
 * Stacks and tensor arrays are resources in the step's scratch container and end with the step.
 * Used by the data-flow op families.
 */
package dev.tributary.internal.kernel.flow;
