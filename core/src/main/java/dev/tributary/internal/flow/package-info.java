/**
 * Control flow in graphs: the branches of conds and the bodies of while loops as contexts that
 * capture what they use from outside, and the builders that make them of Switch, Merge, Enter, Exit
 * and NextIteration, named as TensorFlow's Python client names them. Entry types: {@link
 * dev.tributary.internal.flow.CondBuilder} and {@link dev.tributary.internal.flow.WhileBuilder}.
 * Depends on graphs; op families and gradients depend on it.
 */
package dev.tributary.internal.flow;
