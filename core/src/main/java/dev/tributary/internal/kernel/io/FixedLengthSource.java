package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileFailure;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.op.Attributes;
import dev.tributary.record.Compression;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Records of one length, between a header and a footer. Bytes that do not fill a record are left
 * out, or an error.
 */
final class FixedLengthSource implements RecordSource {
  /**
   * The layout of a file, in bytes.
   *
   * @param hop from the beginning of a record to that of the next
   * @param requiresWholeRecords whether bytes that do not fill a record are an error
   */
  record Layout(
      int header,
      int record,
      int footer,
      int hop,
      Compression compression,
      boolean requiresWholeRecords) {
    Layout {
      if (header < 0 || record <= 0 || footer < 0 || hop <= 0) {
        throw TributaryException.invalidArgument(
            "header_bytes, footer_bytes and hop_bytes must be 0 or more and record_bytes 1 or"
                + " more, got %d, %d, %d and %d",
            header, footer, hop, record);
      }
      if ((long) record + footer > LONGEST) {
        throw TributaryException.invalidArgument(
            "record_bytes and footer_bytes must be less than 2 GiB together, got %d and %d",
            record, footer);
      }
    }

    static Layout of(Attributes attributes) {
      int record = attributes.int32("record_bytes");
      int hop = attributes.int32("hop_bytes");
      String encoding = attributes.has("encoding") ? attributes.string("encoding") : "";
      return new Layout(
          attributes.int32("header_bytes"),
          record,
          attributes.int32("footer_bytes"),
          hop == 0 ? record : hop,
          Compression.named(encoding),
          false);
    }
  }

  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private final String work;
  private final Path path;
  private final Layout layout;
  private final InputStream in;

  /** The bytes that were read but not consumed: at most a record and the footer. */
  private byte[] window = {};

  private long records;

  private FixedLengthSource(String work, Path path, Layout layout, InputStream in) {
    this.work = work;
    this.path = path;
    this.layout = layout;
    this.in = in;
  }

  static Opener opener(Layout layout) {
    return (files, work) -> open(files, work, layout);
  }

  private static RecordSource open(FileRoot files, String work, Layout layout) {
    Path path = files.resolve(work);
    try {
      InputStream in = layout.compression().unpack(files.stream(path));
      FixedLengthSource source = new FixedLengthSource(work, path, layout, in);
      source.hop(layout.header());
      return source;
    } catch (IOException e) {
      throw FileFailure.of("read file", path, e);
    }
  }

  @Override
  public Optional<SourceRecord> next() {
    try {
      int wanted = layout.record() + layout.footer();
      int had = window.length;
      byte[] more = in.readNBytes(wanted - had);
      if (had + more.length < wanted) {
        requireWhole(had + more.length);
        return Optional.empty();
      }
      window = Arrays.copyOf(window, wanted);
      System.arraycopy(more, 0, window, had, more.length);
      byte[] value = Arrays.copyOf(window, layout.record());
      hop(layout.hop());
      return Optional.of(SourceRecord.at(work, records++, value));
    } catch (IOException e) {
      throw FileFailure.of("read file", path, e);
    }
  }

  private void requireWhole(int left) {
    if (layout.requiresWholeRecords() && left != layout.footer()) {
      throw TributaryException.invalidArgument(
          "Excluding the header (%d bytes) and footer (%d bytes), input file \"%s\" has %d bytes"
              + " after record %d, which is not an exact multiple of the record length (%d bytes).",
          layout.header(), layout.footer(), path, left - layout.footer(), records, layout.record());
    }
  }

  private void hop(int bytes) throws IOException {
    int inWindow = Math.min(bytes, window.length);
    window = Arrays.copyOfRange(window, inWindow, window.length);
    in.readNBytes(bytes - inWindow);
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      throw FileFailure.of("close file", path, e);
    }
  }
}
