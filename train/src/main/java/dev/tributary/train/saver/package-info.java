/**
 * Checkpoints of a model's variables: operations that save and restore them, and which of the files
 * to keep. Start at {@link dev.tributary.train.saver.Saver}.
 */
package dev.tributary.train.saver;
