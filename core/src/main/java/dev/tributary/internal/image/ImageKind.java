package dev.tributary.internal.image;

import dev.tributary.error.TributaryException;

/** The formats of image files, which are told apart by their first bytes. */
public enum ImageKind {
  JPEG(0xff, 0xd8, 0xff),
  PNG(0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'),
  GIF('G', 'I', 'F', '8'),
  BMP('B', 'M');

  private final int[] signature;

  ImageKind(int... signature) {
    this.signature = signature;
  }

  /** The format of a file; fails with INVALID_ARGUMENT if it is none of these. */
  public static ImageKind of(byte[] content) {
    for (ImageKind kind : values()) {
      if (kind.begins(content)) {
        return kind;
      }
    }
    throw TributaryException.invalidArgument(
        "Unknown image file format of %d bytes. One of JPEG, PNG, GIF, BMP required.",
        content.length);
  }

  /** Fails unless a file begins as files of this format do. */
  void require(byte[] content) {
    if (!begins(content)) {
      throw TributaryException.invalidArgument(
          "Invalid %s data: the %d bytes do not begin as a %s image does",
          this, content.length, this);
    }
  }

  private boolean begins(byte[] content) {
    if (content.length < signature.length) {
      return false;
    }
    for (int i = 0; i < signature.length; i++) {
      if ((content[i] & 0xff) != signature[i]) {
        return false;
      }
    }
    return true;
  }
}
