package dev.tributary.record;

import dev.tributary.error.TributaryException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/** The compression of a whole file of records, by TensorFlow's names. */
public enum Compression {
  NONE {
    @Override
    InputStream unpacked(InputStream in) {
      return in;
    }

    @Override
    OutputStream packed(OutputStream out) {
      return out;
    }
  },

  GZIP {
    @Override
    InputStream unpacked(InputStream in) throws IOException {
      return new BufferedInputStream(new GZIPInputStream(in, BUFFER), BUFFER);
    }

    @Override
    OutputStream packed(OutputStream out) throws IOException {
      return new GZIPOutputStream(out, BUFFER, true);
    }
  },

  ZLIB {
    @Override
    InputStream unpacked(InputStream in) {
      return new BufferedInputStream(new InflaterInputStream(in), BUFFER);
    }

    @Override
    OutputStream packed(OutputStream out) {
      return new DeflaterOutputStream(out, true);
    }
  };

  static final int BUFFER = 1 << 16;

  /** The compression of that name; the empty one means none. */
  public static Compression named(String name) {
    return switch (name) {
      case "" -> NONE;
      case "GZIP" -> GZIP;
      case "ZLIB" -> ZLIB;
      default ->
          throw TributaryException.unimplemented(
              "no compression of records is called '%s'; there are '' (none), 'GZIP' and 'ZLIB'",
              name);
    };
  }

  /** TensorFlow's name for it, which is empty for none. */
  public String attributeValue() {
    return this == NONE ? "" : name();
  }

  /** The unpacked content of a file that was opened; closing it closes the file. */
  public InputStream unpack(InputStream file) throws IOException {
    InputStream buffered = new BufferedInputStream(file, BUFFER);
    try {
      buffered.mark(1);
      // A file that was just begun has no bytes, though not even an empty packed stream has none.
      if (buffered.read() < 0) {
        return buffered;
      }
      buffered.reset();
      return unpacked(buffered);
    } catch (IOException e) {
      buffered.close();
      throw e;
    }
  }

  abstract InputStream unpacked(InputStream in) throws IOException;

  /** A stream whose flush brings all that was written to {@code out}. */
  abstract OutputStream packed(OutputStream out) throws IOException;
}
