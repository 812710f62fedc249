package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Drawn classes must be those of stock, in the second run of a session too. */
final class CandidateOpRows {
  private static final int RANGE = 20;

  private CandidateOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        sampler("UniformCandidateSampler"),
        sampler("LogUniformCandidateSampler"),
        sampler("AllCandidateSampler"),
        sampler("LearnedUnigramCandidateSampler"),
        sampler("ThreadUnsafeUnigramCandidateSampler"),
        OpRow.of("FixedUnigramCandidateSampler").types(INT64).script(CandidateOpRows::fixed),
        OpRow.of("ComputeAccidentalHits")
            .example(
                () ->
                    OpCall.of(Tensor.of(Shape.of(2, 2), 1L, 5L, 7L, 1L), Tensor.of(3L, 1L, 7L))
                        .attr("num_true", 2),
                Tensor.of(0, 1, 1),
                Tensor.of(1L, 2L, 1L),
                Tensor.of(-Float.MAX_VALUE, -Float.MAX_VALUE, -Float.MAX_VALUE))
            .types(INT64)
            .shapeDependsOnValues()
            .without(Draw.Size.SCALAR, "classes are a matrix and a vector")
            .draw(
                d ->
                    OpCall.of(
                            d.indices(INT64, Shape.of(d.integer(1, 4), 2), 0, 9),
                            d.indices(
                                INT64,
                                Shape.of(d.size() == Draw.Size.EMPTY ? 0 : d.integer(1, 6)),
                                0,
                                9))
                        .attr("num_true", 2)));
  }

  private static OpRow sampler(String op) {
    return OpRow.of(op)
        .types(INT64)
        .script(
            d -> {
              Ops tf = Ops.create();
              int columns = d.integer(1, 2);
              boolean all = op.startsWith("All");
              OperationBuilder builder =
                  tf.scope()
                      .operation(op)
                      .input(Constants.taking(tf, d.indices(INT64, Shape.of(3, columns), 0, RANGE)))
                      .attr("num_true", columns)
                      .attr("num_sampled", all ? RANGE : d.integer(4, 12))
                      .attr("unique", all || d.flip())
                      .attr("seed", d.integer(0, 1000))
                      .attr("seed2", d.integer(1, 1000));
              Operation drawn = all ? builder.build() : builder.attr("range_max", RANGE).build();
              return Script.on(tf)
                  .fetch(drawn.output(0), drawn.output(1), drawn.output(2))
                  .fetch(drawn.output(0), drawn.output(1), drawn.output(2));
            });
  }

  /**
   * Weights from the graph or from a file, with reserved classes, on one shard of two or on all.
   */
  private static Script fixed(Draw d) {
    Ops tf = Ops.create();
    int shards = d.integer(1, 2);
    int reserved = d.integer(0, 2);
    List<Float> weights = new ArrayList<>();
    StringBuilder lines = new StringBuilder();
    int counted = reserved == 2 && shards == 2 ? 1 : reserved;
    for (int i = counted; i < RANGE * shards; i++) {
      weights.add(i % 7 + 0.5f);
      lines.append("word,").append(i % 7 + 0.5f).append('\n');
    }
    int range = counted;
    for (int number = counted; number < counted + weights.size(); number++) {
      range += number % shards == 0 ? 1 : 0;
    }
    OperationBuilder builder =
        tf.scope()
            .operation("FixedUnigramCandidateSampler")
            .input(Constants.taking(tf, d.indices(INT64, Shape.of(3, 2), 0, range)))
            .attr("num_true", 2)
            .attr("num_sampled", d.integer(4, 9))
            .attr("unique", d.flip())
            .attr("range_max", range)
            .attr("num_reserved_ids", reserved)
            .attr("num_shards", shards)
            .attr("distortion", d.oneOf(1f, 0.75f))
            .attr("seed", d.integer(0, 1000))
            .attr("seed2", d.integer(1, 1000));
    Operation drawn =
        d.flip()
            ? builder.attr("unigrams", weights).build()
            : builder.attr("vocab_file", file(lines.toString())).build();
    return Script.on(tf)
        .fetch(drawn.output(0), drawn.output(1), drawn.output(2))
        .fetch(drawn.output(0), drawn.output(1), drawn.output(2));
  }

  private static String file(String content) {
    Path path = Path.of("target/candidate-op-rows", Integer.toHexString(content.hashCode()));
    try {
      Files.createDirectories(path.getParent());
      return Files.writeString(path, content).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
