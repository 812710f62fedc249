/**
 * The {@code run} command, which starts a program of the user's as all tasks of a cluster on this
 * machine. Each learns from {@code TF_CONFIG} which task it is. Entry type: {@link
 * dev.tributary.app.run.RunCommand}.
 */
package dev.tributary.app.run;
