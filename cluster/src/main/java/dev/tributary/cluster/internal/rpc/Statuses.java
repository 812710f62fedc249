package dev.tributary.cluster.internal.rpc;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.cluster.internal.rpc.message.CommonProto.StatusPayloads;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import io.grpc.Metadata;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Our exception as gRPC's status and back. The codes are the same numbers. That an error is derived
 * stands in the details of the status since TensorFlow 2.8, and before that in the text.
 */
final class Statuses {
  /** The longest text that TensorFlow puts into a status; longer ones are cut. */
  static final int LONGEST_MESSAGE = 3072;

  private static final String CUT = " ... [truncated]";
  private static final String DERIVED_TEXT = "[_Derived_]";

  /** Part of gRPC's text for a message that the other side does not read. */
  static final String TOO_LONG = "exceeds maximum size";

  private static final String DERIVED_PAYLOAD = anyPrefix() + "tensorflow.DerivedStatus";
  private static final Metadata.Key<byte[]> DETAILS =
      Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER);

  private static final String GRPC_CONTENT = "application/grpc";
  private static final Metadata.Key<String> CONTENT_TYPE =
      Metadata.Key.of("content-type", Metadata.ASCII_STRING_MARSHALLER);

  private Statuses() {}

  // ---- out ----

  static Status toStatus(TributaryException error) {
    String message = error.getMessage() == null ? "" : error.getMessage();
    return Status.fromCodeValue(error.code().number()).withDescription(cut(message));
  }

  static Metadata trailers(TributaryException error) {
    Metadata trailers = new Metadata();
    if (error.derived()) {
      trailers.put(
          DETAILS,
          StatusPayloads.newBuilder()
              .putPayloads(DERIVED_PAYLOAD, ByteString.EMPTY)
              .build()
              .toByteArray());
    }
    return trailers;
  }

  /** Converts a handler's failure to the status that the caller sees. */
  static TributaryException toException(Throwable thrown) {
    Throwable error = thrown;
    while ((error instanceof CompletionException || error instanceof ExecutionException)
        && error.getCause() != null) {
      error = error.getCause();
    }
    if (error instanceof TributaryException known) {
      return known;
    }
    if (error instanceof CancellationException) {
      return TributaryException.derived(ErrorCode.CANCELLED, "the call was cancelled", error);
    }
    ErrorCode code =
        error instanceof OutOfMemoryError ? ErrorCode.RESOURCE_EXHAUSTED : ErrorCode.INTERNAL;
    return new TributaryException(code, error.toString(), error);
  }

  // ---- in ----

  static TributaryException toException(Status status, Metadata trailers) {
    ErrorCode code = ErrorCode.values()[status.getCode().value()];
    String message =
        code == ErrorCode.RESOURCE_EXHAUSTED && text(status).contains(TOO_LONG)
            ? text(status) + " (the server's Limits.messageBytes, --max-message-bytes)"
            : text(status);
    if (code == ErrorCode.UNKNOWN && isBrokenConnection(status)) {
      code = ErrorCode.UNAVAILABLE;
    }
    return exception(code, message, isDerived(trailers), cause(status, trailers));
  }

  /** gRPC hands on the headers of an answer that it cannot read; its own have another type. */
  private static Throwable cause(Status status, Metadata trailers) {
    String contentType = trailers.get(CONTENT_TYPE);
    return contentType == null || contentType.startsWith(GRPC_CONTENT)
        ? status.getCause()
        : new NotGrpcException(contentType, status.getCause());
  }

  private static boolean isBrokenConnection(Status status) {
    // The first is how older versions of gRPC's C++ library tell. The second is how its Java
    // library
    // does if it was about to write; what the other side says never has a cause.
    return "Stream removed".equals(status.getDescription())
        || status.getCause() instanceof IOException;
  }

  /** With the reason where gRPC's own words, such as "io exception", keep it to themselves. */
  private static String text(Status status) {
    String message = status.getDescription() == null ? "" : status.getDescription();
    Throwable reason = status.getCause();
    return reason == null || reason.getMessage() == null || message.contains(reason.getMessage())
        ? message
        : message + ": " + reason.getMessage();
  }

  /** An error that came in the body of a response. */
  static TributaryException toException(int number, String message) {
    ErrorCode[] codes = ErrorCode.values();
    ErrorCode code = number > 0 && number < codes.length ? codes[number] : ErrorCode.UNKNOWN;
    return exception(code, message, false, null);
  }

  private static TributaryException exception(
      ErrorCode code, String message, boolean derived, Throwable cause) {
    if (message.startsWith(DERIVED_TEXT)) {
      return TributaryException.derived(code, message.substring(DERIVED_TEXT.length()), cause);
    }
    return derived
        ? TributaryException.derived(code, message, cause)
        : new TributaryException(code, message, cause);
  }

  private static boolean isDerived(Metadata trailers) {
    byte[] details = trailers.get(DETAILS);
    if (details == null) {
      return false;
    }
    try {
      return StatusPayloads.parseFrom(details).containsPayloads(DERIVED_PAYLOAD);
    } catch (InvalidProtocolBufferException e) {
      // Somebody else's details; TensorFlow does not mind them either.
      return false;
    }
  }

  private static String cut(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    if (bytes.length <= LONGEST_MESSAGE) {
      return message;
    }
    int end = LONGEST_MESSAGE;
    while ((bytes[end] & 0xC0) == 0x80) {
      end--; // Not in the middle of a character.
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT;
  }

  private static String anyPrefix() {
    String url = Any.pack(Any.getDefaultInstance()).getTypeUrl();
    return url.substring(0, url.indexOf('/') + 1);
  }
}
