/**
 * Commands for SavedModels: {@code model show} describes one and {@code model run} calls a
 * signature with values from files. Entry type: {@link dev.tributary.app.model.ModelCommand}.
 */
package dev.tributary.app.model;
