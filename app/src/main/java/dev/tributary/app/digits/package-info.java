/**
 * A recogniser of handwritten digits: data sets, a small convolutional network, and the loops that
 * train it in one process or on a cluster. Entry type: {@link
 * dev.tributary.app.digits.DigitsCommand}.
 */
package dev.tributary.app.digits;
