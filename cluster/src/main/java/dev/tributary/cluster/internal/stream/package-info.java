/**
 * A second way for steps between two tasks, past gRPC. On one machine it is Unix domain sockets in
 * a private directory of the task that is called, and shared memory for large tensors, whose
 * elements are copied once, to where the receiver's tensor then stands. Between machines it is TCP,
 * with TLS where gRPC has it. Entry types: {@link
 * dev.tributary.cluster.internal.stream.LocalStreamServer}, {@link
 * dev.tributary.cluster.internal.stream.NetworkStreamServer} and {@link
 * dev.tributary.cluster.internal.stream.StreamTransport}. Nothing here is TensorFlow's: a task
 * makes its {@link dev.tributary.cluster.internal.stream.StreamOffer} by a call that stock tasks do
 * not know, and without an offer all goes by gRPC.
 *
 * <p>Each of the two sockets of a connection begins with a {@link
 * dev.tributary.cluster.internal.stream.Handshake}: the token of the {@link
 * dev.tributary.cluster.internal.stream.StreamEndpoint} or the secret of the {@link
 * dev.tributary.cluster.internal.stream.NetworkEndpoint}, a byte for what it carries, the
 * connection's number and, on one machine, the path of a file that only who shares memory finds.
 * One then carries requests, the other a byte that tells whether it was found, and answers. Numbers
 * are big-endian, texts are UTF-8 after an int with their length.
 *
 * <pre>
 * request  byte 1, long call, long step, long request id, text key     RecvTensor
 *          byte 2, long call                                           cancels
 *          byte 3, long call, text session, long step, text key, value PushTensor, not answered
 *          byte 4, long call, session, graph, step, keys and values    RunGraph
 * answer   byte 1, long call, value
 *          byte 2, long call, names and values                         of a step
 *          byte 3, long call, int code, byte derived, text message     an error
 * value    byte 1, int type, int rank, long size.., elements           little-endian
 *          byte 2, int length, a TensorProto                           strings and the like
 *          byte 3                                                      a dead value
 *          byte 4, int type, int rank, long size.., int slot, text     elements in shared memory
 * </pre>
 *
 * The text is the path of a slot that was not named before, else empty.
 *
 * <p>Every request but a push gets one answer, a cancelled one too. Answers come in any order.
 */
package dev.tributary.cluster.internal.stream;
