/**
 * Code that several packages of the training library share and programs must not use: state that
 * workers share, variables of one process, and failures after which training continues.
 */
package dev.tributary.train.internal;
