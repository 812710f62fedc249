/**
 * Checkpoints of a model's variables: operations that save and restore them, and which of the files
 * to keep. Start at {@link dev.tributary.train.saver.Saver}.
 *
 * <p>A run resumes from the checkpoint that the {@code checkpoint} file names as the latest, as
 * stock TensorFlow does. If that one is missing or damaged, or the file is, it resumes from the
 * newest intact checkpoint of the folder and logs a warning with what was skipped. If there are
 * checkpoints but none can be restored, the run does not start from scratch unless told to. The
 * process that restores checks indices and the sizes of data files. If it sees none of these files,
 * because they are on disks of other machines, the tasks that hold the variables decide which
 * checkpoint they can read.
 */
package dev.tributary.train.saver;
