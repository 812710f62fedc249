/** What tests of the training library share. */
package dev.tributary.train.testing;
