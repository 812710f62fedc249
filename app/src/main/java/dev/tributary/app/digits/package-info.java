/**
 * A recogniser of handwritten digits: data sets, a small convolutional network, the loops that
 * train it in one process or on a cluster, how a person sees them get on, and the use of a trained
 * network. Entry type: {@link dev.tributary.app.digits.DigitsCommand}.
 */
package dev.tributary.app.digits;
