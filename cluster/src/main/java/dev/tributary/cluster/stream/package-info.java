/**
 * A second way for tensors between two tasks of one machine: a Unix domain socket in a private
 * directory of the sender's. Elements are written from the sender's tensor and read into the
 * receiver's, with no message between. Entry types: {@link
 * dev.tributary.cluster.stream.StreamServer} and {@link
 * dev.tributary.cluster.stream.StreamTransport}. Nothing here is TensorFlow's: a peer offers its
 * socket by a call that stock tasks do not know, and without an offer all goes by gRPC.
 *
 * <p>Whoever connects writes the token of the {@link dev.tributary.cluster.stream.StreamEndpoint},
 * 32 bytes, and then requests. Numbers are big-endian, texts are UTF-8 after an int with their
 * length.
 *
 * <pre>
 * request  byte 1, long call, long step, long request id, text key
 *          byte 2, long call                                            cancels
 * answer   byte 1, long call, int type, int rank, long size.., elements little-endian
 *          byte 2, long call, int length, a TensorProto                 strings and the like
 *          byte 3, long call                                            a dead value
 *          byte 4, long call, int code, byte derived, text message      an error
 * </pre>
 *
 * Every request gets one answer, a cancelled one too. Answers come in any order.
 */
package dev.tributary.cluster.stream;
