package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT8;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.function.Supplier;

/** Rows of the ops that change, split, join and hash strings. */
final class TextOpRows {
  /** Of "a" and "". */
  private static final byte[] FINGERPRINTS = {
    -29, 117, -33, -74, 101, 66, 69, -77, 79, 64, -112, 47, 59, 106, -31, -102
  };

  private TextOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        each("StringLower")
            .example(() -> OpCall.of(Tensor.of("AbZ\u00c4")), Tensor.of("abz\u00c4"))
            .example(
                () -> OpCall.of(Tensor.of("AbZ\u00c4")).attr("encoding", "utf-8"),
                Tensor.of("abz\u00e4"))
            .draw(TextOpRows::letters),
        each("StringUpper")
            .example(() -> OpCall.of(Tensor.of("aBz\u00e4")), Tensor.of("ABZ\u00e4"))
            .draw(TextOpRows::letters),
        each("StringStrip")
            .example(() -> OpCall.of(Tensor.of(" \ta b\n", "\u000b\f\r ")), Tensor.of("a b", ""))
            .draw(d -> OpCall.of(words(d, d.shape(0, 3)))),
        OpRow.of("StringSplit")
            .example(
                () -> OpCall.of(Tensor.of("a b", "", " c"), Tensor.scalar(" ")),
                Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 1L, 2L, 0L),
                Tensor.of("a", "b", "c"),
                Tensor.of(3L, 2L))
            .types(STRING)
            .draw(
                d ->
                    OpCall.of(words(d, vector(d)), Tensor.scalar(d.oneOf("", " ", " ,", ";a")))
                        .attr("skip_empty", d.flip()))
            .shapeDependsOnValues(),
        OpRow.of("StringSplitV2")
            .example(
                () -> OpCall.of(Tensor.of("a  b ", "c"), Tensor.scalar("")),
                Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 1L, 1L, 0L),
                Tensor.of("a", "b", "c"),
                Tensor.of(2L, 2L))
            .example(
                () -> OpCall.of(Tensor.of("1<>2<><>3"), Tensor.scalar("<>")).attr("maxsplit", 2),
                Tensor.of(Shape.of(3, 2), 0L, 0L, 0L, 1L, 0L, 2L),
                Tensor.of("1", "2", "<>3"),
                Tensor.of(1L, 3L))
            .types(STRING)
            .draw(
                d ->
                    OpCall.of(words(d, vector(d)), Tensor.scalar(d.oneOf("", " ", ",", ", ", "aa")))
                        .attr("maxsplit", d.integer(-2, 3)))
            .shapeDependsOnValues(),
        each("StringLength")
            .example(() -> OpCall.of(Tensor.of("a\u00e4")), Tensor.of(3))
            .example(() -> OpCall.of(Tensor.of("a\u00e4")).attr("unit", "UTF8_CHAR"), Tensor.of(2))
            .draw(d -> OpCall.of(words(d, d.shape(0, 3))).attr("unit", unit(d))),
        each("Substr")
            .example(
                () -> OpCall.of(Tensor.of("abcd", "xyz"), Tensor.scalar(-2), Tensor.scalar(1)),
                Tensor.of("c", "y"))
            .example(
                () ->
                    OpCall.of(Tensor.of("\u00e4b\u4e2d"), Tensor.of(1), Tensor.of(9))
                        .attr("unit", "UTF8_CHAR"),
                Tensor.of("b\u4e2d"))
            .draw(TextOpRows::substring),
        each("EncodeBase64")
            .example(() -> OpCall.of(Tensor.of("\u00ff?>")), Tensor.of("w78_Pg"))
            .draw(d -> OpCall.of(words(d, d.shape(0, 3))).attr("pad", d.flip())),
        each("DecodeBase64")
            .example(() -> OpCall.of(Tensor.of("YWI", "YWI=")), Tensor.of("ab", "ab"))
            .draw(
                d ->
                    OpCall.of(
                        strings(
                            d.shape(0, 2),
                            () -> d.oneOf("", "YQ", "YQ==", "YWI=", "YWJj", "-_-_")))),
        each("UnsortedSegmentJoin")
            .example(
                () ->
                    OpCall.of(Tensor.of("a", "b", "c"), Tensor.of(1, 0, 1))
                        .constant(Tensor.scalar(3))
                        .attr("separator", "-"),
                Tensor.of("b", "a-c", ""))
            .without(Draw.Size.SCALAR, "ids have a dimension")
            .draw(TextOpRows::segmentJoin),
        OpRow.of("Fingerprint")
            .example(
                () -> OpCall.of(Tensor.of("a", ""), Tensor.scalar("farmhash64")),
                Tensor.of(UINT8, Shape.of(2, 8), FINGERPRINTS))
            .types(ArrayDraws.ALL)
            .draw(d -> OpCall.of(d.tensor(ArrayDraws.shape(d, 1, 3)), Tensor.scalar("farmhash64"))),
        OpRow.of("ReduceJoin")
            .example(
                () -> OpCall.of(square()).constant(Tensor.of(0)).attr("separator", "-"),
                Tensor.of("a-c", "b-d"))
            .example(() -> OpCall.of(square()).constant(Tensor.of(0, 1)), Tensor.scalar("acbd"))
            .example(() -> OpCall.of(square()).constant(Tensor.of(1, 0)), Tensor.scalar("abcd"))
            .types(STRING)
            .draw(TextOpRows::reduceJoin),
        each("StringToHashBucketFast")
            .example(
                () ->
                    OpCall.of(Tensor.of("", "a", "hello", "x".repeat(65)))
                        .attr("num_buckets", Long.MAX_VALUE),
                Tensor.of(
                    1936946117179621456L,
                    3694432073954588132L,
                    3786372426573024489L,
                    4935023790501551929L))
            .draw(TextOpRows::bucket),
        each("StringToHashBucketStrong")
            .example(
                () ->
                    OpCall.of(Tensor.of("Hello", "TF"))
                        .attr("num_buckets", 3)
                        .attr("key", List.of(1L, 2L)),
                Tensor.of(2L, 0L))
            .draw(
                d -> bucket(d).attr("key", List.of(d.random().nextLong(), d.random().nextLong()))),
        each("StringToHashBucket")
            .example(() -> OpCall.of(Tensor.of("a")).attr("num_buckets", 1000), Tensor.of(868L))
            .draw(TextOpRows::bucket),
        each("StaticRegexReplace")
            .example(
                () ->
                    OpCall.of(Tensor.of("key=value", "a=b=c"))
                        .attr("pattern", "(\\w+)=(\\w+)")
                        .attr("rewrite", "\\2:\\1\\\\"),
                Tensor.of("value:key\\", "b:a\\=c"))
            .example(
                () -> OpCall.of(Tensor.of("baac")).attr("pattern", "a*").attr("rewrite", "X"),
                Tensor.of("XbXcX"))
            .draw(
                d ->
                    OpCall.of(words(d, d.shape(0, 2)))
                        .attr("pattern", pattern(d))
                        .attr("rewrite", rewrite(d))
                        .attr("replace_global", d.flip())),
        each("RegexReplace")
            .example(
                () ->
                    OpCall.of(Tensor.of("abc"), Tensor.scalar("[b-c]"), Tensor.scalar("<\\0>"))
                        .attr("replace_global", false),
                Tensor.of("a<b>c"))
            .draw(
                d ->
                    OpCall.of(
                            words(d, d.shape(0, 2)),
                            Tensor.scalar(pattern(d)),
                            Tensor.scalar(rewrite(d)))
                        .attr("replace_global", d.flip())),
        each("StaticRegexFullMatch")
            .example(
                () -> OpCall.of(Tensor.of("abc", "abcd")).attr("pattern", "a.c"),
                Tensor.of(true, false))
            .draw(d -> OpCall.of(words(d, d.shape(0, 2))).attr("pattern", pattern(d))),
        each("RegexFullMatch")
            .example(
                () -> OpCall.of(Tensor.of("\u00e4", "ae"), Tensor.scalar("\\pL")),
                Tensor.of(true, false))
            .draw(d -> OpCall.of(words(d, d.shape(0, 2)), Tensor.scalar(pattern(d)))));
  }

  private static OpRow each(String op) {
    return OpRow.of(op).types(STRING);
  }

  private static Tensor square() {
    return Tensor.of(Shape.of(2, 2), "a", "b", "c", "d");
  }

  static Shape vector(Draw d) {
    return Shape.of(d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 5));
  }

  static Tensor strings(Shape shape, Supplier<String> element) {
    String[] values = new String[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = element.get();
    }
    return Tensor.of(shape, values);
  }

  /** Some words, some with letters beyond ASCII, with blanks and commas between them. */
  static Tensor words(Draw d, Shape shape) {
    return strings(
        shape,
        () -> {
          StringBuilder text = new StringBuilder();
          for (int i = d.integer(0, 6); i > 0; i--) {
            text.append(
                d.oneOf(
                    "a",
                    "aa",
                    "Bc",
                    "x1",
                    " ",
                    "  ",
                    ",",
                    ", ",
                    ";",
                    "\t",
                    "\u00e4",
                    "\u4e2d",
                    "\ud83d\ude00",
                    "=",
                    "_"));
          }
          return text.toString();
        });
  }

  private static OpCall letters(Draw d) {
    boolean unicode = d.flip();
    Tensor letters =
        strings(
            d.shape(0, 3),
            () ->
                d.oneOf("", "aBc XYZ", "@[`{") + d.oneOf("\u00e4\u00c4", "\u00df", "\u0416\u03a3"));
    return OpCall.of(letters).attr("encoding", unicode ? "utf-8" : "");
  }

  private static String unit(Draw d) {
    return d.oneOf("BYTE", "UTF8_CHAR");
  }

  private static OpCall substring(Draw d) {
    Shape shape = d.shape(0, 2);
    boolean shared = d.flip() || d.size() == Draw.Size.EMPTY;
    boolean broadcast = !shared && shape.rank() == 2 && d.flip();
    Shape positions = shared ? Shape.scalar() : broadcast ? shape.withSize(0, 1) : shape;
    DataType type = d.oneOf(INT32, INT64);
    // Three characters at least, so that most positions are in range.
    Tensor strings = strings(shape, () -> d.oneOf("abc", "a\u00e4\u4e2d", "\ud83d\ude00xyz"));
    return OpCall.of(strings, d.indices(type, positions, -3, 4), d.indices(type, positions, -1, 6))
        .attr("unit", unit(d));
  }

  private static OpCall segmentJoin(Draw d) {
    Shape shape = d.shape(1, 3);
    int segments = d.integer(1, 4);
    Shape ids = shape.slice(0, d.integer(1, shape.rank()));
    return OpCall.of(
            strings(shape, () -> d.oneOf("", "a", "bc")),
            d.indices(d.oneOf(INT32, INT64), ids, 0, segments))
        .constant(ArrayDraws.scalar(d.oneOf(INT32, INT64), segments))
        .attr("separator", d.oneOf("", "-"));
  }

  private static OpCall reduceJoin(Draw d) {
    Shape shape = d.shape(0, 4);
    int first = shape.rank() == 0 ? 0 : d.integer(0, shape.rank() - 1);
    int count = shape.rank() == 0 ? 0 : d.integer(0, Math.min(2, shape.rank()));
    int[] axes = new int[count];
    for (int i = 0; i < count; i++) {
      int axis = (first + i) % shape.rank();
      axes[i] = d.flip() ? axis : axis - shape.rank();
    }
    return OpCall.of(strings(shape, () -> d.oneOf("", "a", "bc", "\u00e4")))
        .constant(Tensor.of(axes))
        .attr("keep_dims", d.flip())
        .attr("separator", d.oneOf("", "-", ", "));
  }

  /** Strings of all lengths that the hash treats differently. */
  private static OpCall bucket(Draw d) {
    Tensor strings =
        strings(
            d.shape(0, 2),
            () -> {
              StringBuilder text = new StringBuilder();
              for (int i = d.integer(0, d.oneOf(3, 8, 17, 33, 65, 200)); i > 0; i--) {
                text.append((char) d.integer(1, 400));
              }
              return text.toString();
            });
    return OpCall.of(strings).attr("num_buckets", d.oneOf(1L, 7L, 1000L, Long.MAX_VALUE));
  }

  private static String pattern(Draw d) {
    return d.oneOf(
        "",
        "a*",
        "a+?",
        "(a)(.)",
        "[[:punct:]]",
        "\\s+",
        "^a|c$",
        "(?i)bc",
        "\\pL+",
        "\\bx1\\b",
        "[^a-z]",
        "(?P<word>\\w+)",
        "\\Q=\\E",
        "a{2}",
        "(a|aa)",
        "\u4e2d.?",
        ".",
        "(?s).*",
        "x*$");
  }

  private static String rewrite(Draw d) {
    return d.oneOf("", "X", "<\\0>", "\\1", "\\\\", "\\q", "a\\", "\u00e4", "\\2\\1");
  }
}
