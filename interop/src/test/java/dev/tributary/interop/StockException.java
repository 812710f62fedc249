package dev.tributary.interop;

import dev.tributary.error.ErrorCode;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;

/** A failure which stock TensorFlow reported, with its code and its own message. */
class StockException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  StockException(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  static void throwUnlessOk(TF_Status status) {
    int number = tensorflow.TF_GetCode(status);
    if (number != tensorflow.TF_OK) {
      throw new StockException(
          ErrorCode.values()[number], tensorflow.TF_Message(status).getString());
    }
  }

  ErrorCode code() {
    return code;
  }

  @Override
  public String toString() {
    return "stock " + code + ": " + getMessage();
  }
}
