package dev.tributary.internal.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Messages in files, as bytes or as text. Content that is not the wanted message is a DATA_LOSS
 * that names the file.
 */
public final class MessageFiles {
  /**
   * As deep as protobuf reads bytes. Its reader of text knows no limit but the end of the stack.
   */
  private static final int DEEPEST = 100;

  private MessageFiles() {}

  /**
   * Reads either form. The content tells which, not the name.
   *
   * @param what the message in words, such as {@code "graph"}
   * @param into receives the content
   */
  public static void read(Path path, String what, Message.Builder into) {
    byte[] content;
    try {
      content = Files.readAllBytes(path);
    } catch (IOException e) {
      throw FileFailure.of("read " + what + " file", path, e);
    } catch (OutOfMemoryError e) {
      throw new TributaryException(
          ErrorCode.RESOURCE_EXHAUSTED, what + " file " + path + " does not fit into memory", e);
    }
    if (content.length == 0) {
      throw new TributaryException(ErrorCode.DATA_LOSS, what + " file " + path + " is empty");
    }
    if (isText(content)) {
      readText(path, content, what, into);
    } else {
      readBinary(path, content, what, into);
    }
  }

  /** Every message has tags below the space, and text has none but white space. */
  private static boolean isText(byte[] content) {
    for (byte b : content) {
      if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  private static void readText(Path path, byte[] content, String what, Message.Builder into) {
    String text = new String(content, StandardCharsets.UTF_8);
    if (depth(text) > DEEPEST) {
      throw notText(path, what, "more than " + DEEPEST + " messages deep", null);
    }
    try {
      TextFormat.merge(text, into);
    } catch (TextFormat.ParseException e) {
      throw notText(path, what, e.getMessage(), e);
    }
  }

  private static TributaryException notText(
      Path path, String what, String reason, Throwable cause) {
    return new TributaryException(
        ErrorCode.DATA_LOSS,
        "file " + path + " is not the text of a " + what + ": " + reason,
        cause);
  }

  /** Returns the depth of nested brackets, without those in strings and comments. */
  private static int depth(String text) {
    int depth = 0;
    int deepest = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '#') {
        i = endOf(text, i, '\n');
      } else if (c == '"' || c == '\'') {
        i = endOf(text, i, c);
      } else if (c == '{' || c == '<') {
        deepest = Math.max(deepest, ++depth);
      } else if (c == '}' || c == '>') {
        depth--;
      }
    }
    return deepest;
  }

  /**
   * Returns where the string or comment that starts at {@code start} ends; neither goes past its
   * line.
   */
  private static int endOf(String text, int start, char end) {
    int i = start + 1;
    while (i < text.length() && text.charAt(i) != end && text.charAt(i) != '\n') {
      i += text.charAt(i) == '\\' && end != '\n' ? 2 : 1;
    }
    return i;
  }

  private static void readBinary(Path path, byte[] content, String what, Message.Builder into) {
    try {
      into.mergeFrom(content);
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "the "
              + content.length
              + " bytes of file "
              + path
              + " are not a "
              + what
              + ", or not all of one: "
              + e.getMessage(),
          e);
    }
  }
}
