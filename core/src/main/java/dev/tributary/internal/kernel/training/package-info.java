/**
 * The update rules of optimizers. A {@link dev.tributary.internal.kernel.training.UpdateRule} says
 * once what happens to a variable and its slots; {@link
 * dev.tributary.internal.kernel.training.ApplyUpdate} applies it to whole tensors or to the rows
 * that indices name, for variables behind references and behind resource handles, in float or
 * double.
 *
 * <p>Op families declare with these; nothing else imports them.
 */
package dev.tributary.internal.kernel.training;
