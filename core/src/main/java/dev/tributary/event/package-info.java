/**
 * Event files, which TensorBoard shows: TFRecord files of Event messages, called {@code
 * events.out.tfevents.SECONDS.HOST}, of which the first has the version of the format. A folder
 * with such files is a run; its folders may be runs, too.
 *
 * <p>Entry types: {@link dev.tributary.event.EventWriter}, {@link dev.tributary.event.EventReader}
 * and {@link dev.tributary.event.RunScalars}. Stands on records; kernels and everything above stand
 * on it.
 */
package dev.tributary.event;
