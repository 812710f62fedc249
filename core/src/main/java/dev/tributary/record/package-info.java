/**
 * TFRecord files: records one after the other, without a header, an index or padding. All numbers
 * are little-endian.
 *
 * <pre>
 *   u64  length
 *   u32  masked CRC-32C of the eight bytes of the length
 *   data
 *   u32  masked CRC-32C of the data
 * </pre>
 *
 * <p>A file may also be one gzip or zlib stream of these. The masked form is there because the
 * checksum of bytes that hold their own checksum tells little.
 *
 * <p>Event files, which TensorBoard shows, are TFRecord files of Event messages, called {@code
 * events.out.tfevents.SECONDS.HOST}, of which the first has the version of the format.
 *
 * <p>Entry types: {@link dev.tributary.record.RecordReader}, {@link
 * dev.tributary.record.RecordWriter}, {@link dev.tributary.record.EventReader} and {@link
 * dev.tributary.record.EventWriter}. Imports files and the messages of events; kernels depend on
 * it.
 */
package dev.tributary.record;
