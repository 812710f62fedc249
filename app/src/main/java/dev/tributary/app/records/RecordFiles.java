package dev.tributary.app.records;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.MaskedCrc;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads files of records, packed or not. */
final class RecordFiles {
  /** Receives what is in the files. */
  interface Visitor {
    /** A record that is whole; returns whether to go on. */
    boolean record(Path file, long number, long offset, byte[] content);

    /** A place where there is none. */
    void damage(Path file, TributaryException damage);

    /** The end of a file, or of what can be read of it. */
    default void end(Path file, long records) {}
  }

  private static final int LENGTH_HEADER = Long.BYTES + Integer.BYTES;

  private RecordFiles() {}

  /** The files of a command line, manifests replaced by the files in them. */
  static List<Path> of(List<Path> arguments) {
    return List.copyOf(withCounts(arguments).keySet());
  }

  /** The same, with the number of records of each file that a manifest lists. */
  static Map<Path, Optional<Long>> withCounts(List<Path> arguments) {
    Map<Path, Optional<Long>> files = new LinkedHashMap<>();
    for (Path argument : arguments) {
      RecordSet.listed(argument)
          .ifPresentOrElse(
              listed -> listed.forEach((file, count) -> files.put(file, Optional.of(count))),
              () -> files.put(argument, Optional.empty()));
    }
    return files;
  }

  /** Passes on what is in the files, until the visitor has enough. */
  static void visit(Iterable<Path> files, Visitor visitor) {
    for (Path file : files) {
      if (!visit(file, visitor)) {
        return;
      }
    }
  }

  private static boolean visit(Path file, Visitor visitor) {
    long number = 0;
    try (RecordReader reader = RecordReader.open(file, compression(file))) {
      while (true) {
        long offset = reader.offset();
        Optional<byte[]> record;
        try {
          record = reader.next();
        } catch (TributaryException e) {
          visitor.damage(file, e);
          if (reader.offset() == offset) {
            break; // The place of the next record is not known.
          }
          number++;
          continue;
        }
        if (record.isEmpty()) {
          break;
        }
        if (!visitor.record(file, number++, offset, record.get())) {
          return false;
        }
      }
    }
    visitor.end(file, number);
    return true;
  }

  /** A file that begins with the length of a record and its checksum is not packed. */
  private static Compression compression(Path file) {
    byte[] begin;
    try (InputStream in = Files.newInputStream(file)) {
      begin = in.readNBytes(LENGTH_HEADER);
    } catch (IOException e) {
      throw FileFailure.of("read", file, e);
    }
    if (begin.length < LENGTH_HEADER || isRecord(begin)) {
      return Compression.NONE;
    }
    boolean isGzip = (begin[0] & 0xff) == 0x1f && (begin[1] & 0xff) == 0x8b;
    boolean isZlib =
        (begin[0] & 0x0f) == 8 && ((begin[0] << 8 | begin[1] & 0xff) & 0xffff) % 31 == 0;
    return isGzip ? Compression.GZIP : isZlib ? Compression.ZLIB : Compression.NONE;
  }

  private static boolean isRecord(byte[] begin) {
    ByteBuffer header = ByteBuffer.wrap(begin).order(ByteOrder.LITTLE_ENDIAN);
    int stored = header.getInt(Long.BYTES);
    return stored == MaskedCrc.of(header.limit(Long.BYTES));
  }

  /** Fails if there is a file that cannot be read, before anything is shown. */
  static List<Path> required(List<Path> files) {
    List<Path> all = new ArrayList<>(files);
    for (Path file : all) {
      if (!Files.isReadable(file) || Files.isDirectory(file)) {
        throw TributaryException.notFound("there is no record file %s", file);
      }
    }
    return all;
  }
}
