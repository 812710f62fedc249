/**
 * A recogniser of handwritten digits: data sets, a small convolutional network, and the loop that
 * trains it. Entry type: {@link dev.tributary.examples.digits.DigitsCommand}.
 */
package dev.tributary.examples.digits;
