/**
 * What tests of every module share. Entry type: {@link dev.tributary.testing.NoLeaks}, which fails
 * tests that leave tensors behind. Comes to other modules in core's test jar.
 */
package dev.tributary.testing;
