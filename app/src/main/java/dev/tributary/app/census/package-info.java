/**
 * The {@code census} command: a wide and deep model of incomes, trained by an estimator in one
 * process, on a cluster that it starts, or as the task that {@code TF_CONFIG} says. Entry type:
 * {@link dev.tributary.app.census.CensusCommand}.
 */
package dev.tributary.app.census;
