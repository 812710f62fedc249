/**
 * SavedModels as files have them.
 *
 * <pre>
 *   saved_model.pb or .pbtxt     a SavedModel message: one meta graph for each set of tags
 *   variables/variables.*        a checkpoint of the variables
 *   assets/                      files that the graph reads, such as vocabularies
 * </pre>
 *
 * <p>Entry type: {@link dev.tributary.train.internal.savedmodel.SavedModelFile}. Nothing here runs
 * a graph; {@code train.savedmodel} and the command's {@code model show} depend on it.
 */
package dev.tributary.train.internal.savedmodel;
