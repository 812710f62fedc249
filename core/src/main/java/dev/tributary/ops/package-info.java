/**
 * TensorFlow's ops, family by family: a family is one class that holds its declarations (signature,
 * shape rule, kernel, gradient) and, beside them, the methods by which a client adds them to a
 * graph. Entry type: {@link dev.tributary.ops.Ops}. Depends on graphs and kernels; gradients and
 * everything above depend on it.
 *
 * <p>A family that is too large for one file is split by topic, each part with its declarations and
 * its methods; if clients know both parts as one, the one they know extends the other, as {@link
 * dev.tributary.ops.MathOps} does. The ops of a resource are declared by the class that makes it,
 * and the methods that use it are in the type that stands for it, such as {@link
 * dev.tributary.ops.Queue}. Gradients of more than a screen are in a {@code *Gradients} class
 * beside the family. {@code Declaration} writes one declaration; {@code ElementWise}, {@code
 * ResourceDeclaration} and {@code OptimizerDeclaration} begin or make those of many like ops.
 *
 * <p>To add an op: one statement in its family's {@code declarations()}, one client method, one row
 * in the op table of the tests. To add a family: one line in the list of {@code Ops}.
 */
package dev.tributary.ops;
