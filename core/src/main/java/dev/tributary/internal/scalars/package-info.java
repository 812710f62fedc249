/**
 * The scalars of runs, as {@code tributary events} shows them. A folder with event files is a run;
 * its folders may be runs, too. Entry types: {@link dev.tributary.internal.scalars.EventFiles} and
 * {@link dev.tributary.internal.scalars.RunScalars}. Imports records; only the app imports it.
 */
package dev.tributary.internal.scalars;
