/**
 * What careless and hostile callers do, in tables: wrong calls of ops, wrong graphs, wrong steps.
 * {@code BadInputTest} holds our answers against them; {@code interop} compares the codes with
 * stock TensorFlow's.
 */
package dev.tributary.badinput;
