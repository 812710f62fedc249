/**
 * Calls of functions in step graphs, replaced by the nodes of the functions' bodies: calls are
 * inlined, and functional branches and loops become Switch, Merge and frames. Entry type: {@link
 * dev.tributary.internal.function.FunctionExpansion}. Depends on plans and gradients; whoever
 * places a step graph expands it first.
 */
package dev.tributary.internal.function;
