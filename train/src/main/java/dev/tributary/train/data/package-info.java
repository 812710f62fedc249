/**
 * Input pipelines. Entry type: {@link dev.tributary.train.data.Dataset}. Datasets become nodes of
 * core's dataset ops and run wherever these run; the library itself computes no element. Depends on
 * core only.
 */
package dev.tributary.train.data;
