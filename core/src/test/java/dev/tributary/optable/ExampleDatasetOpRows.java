package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.VARIANT;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Datasets that parse examples, whose sparse and ragged features are taken out of variants. */
final class ExampleDatasetOpRows {
  private ExampleDatasetOpRows() {}

  static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    for (String op :
        List.of(
            "ParseExampleDataset", "ParseExampleDatasetV2", "ExperimentalParseExampleDataset")) {
      boolean hasRagged = !op.startsWith("Experimental");
      rows.add(OpRow.of(op).types(ExampleDraws.types()).script(d -> script(d, op, hasRagged)));
    }
    return rows;
  }

  /** Two batches of examples, and what their features are. */
  private static Script script(Draw d, String op, boolean hasRagged) {
    ExampleDraws draws = new ExampleDraws(d);
    DatasetNodes strings = new DatasetNodes(DataType.STRING);
    Output batches =
        strings.of(
            "ConcatenateDataset",
            strings.ofTensors("TensorDataset", draws.examples()),
            strings.ofTensors("TensorDataset", draws.examples()));
    OperationBuilder builder =
        strings
            .tf
            .scope()
            .operation(op)
            .input(batches)
            .input(strings.tf.constant(d.oneOf(1L, 3L)))
            .inputList(draws.defaults().stream().map(strings::constant).toList())
            .attr("sparse_keys", List.of("list", "missing"))
            .attr("dense_keys", List.of("fixed", "optional", "long"))
            .attr("sparse_types", List.of(d.type(), d.type()))
            .attr("dense_shapes", ExampleDraws.denseShapes());
    if (hasRagged) {
      builder
          .attr("ragged_keys", List.of("ragged", "zz"))
          .attr("ragged_value_types", List.of(d.type(), d.type()))
          .attr("ragged_split_types", List.of(INT64, INT32));
    }
    // The components have the order of the keys: fixed, list, long, missing, optional, ragged, zz.
    List<DataType> types = new ArrayList<>(List.of(d.type(), VARIANT, d.type(), VARIANT, d.type()));
    types.addAll(Collections.nCopies(hasRagged ? 2 : 0, VARIANT));
    DatasetNodes parsed = new DatasetNodes(strings.tf, types);
    return fetched(d, parsed, parsed.elements(builder).buildOutput(), hasRagged);
  }

  private static Script fetched(Draw d, DatasetNodes parsed, Output dataset, boolean hasRagged) {
    Output iterator = parsed.iterator();
    Operation initializer = parsed.make(dataset, iterator);
    Output[] next = parsed.next("IteratorGetNext", iterator);
    List<Output> fetches = new ArrayList<>(List.of(next[0], next[2], next[4]));
    fetches.addAll(sparse(d, parsed, next[1]));
    fetches.addAll(sparse(d, parsed, next[3]));
    if (hasRagged) {
      fetches.addAll(ragged(d, parsed, next[5], INT64));
      fetches.addAll(ragged(d, parsed, next[6], INT32));
    }
    Output[] all = fetches.toArray(Output[]::new);
    return Script.on(parsed.tf).run(initializer).fetch(all).fetch(all);
  }

  private static List<Output> sparse(Draw d, DatasetNodes nodes, Output variants) {
    return nodes
        .tf
        .scope()
        .operation("DeserializeSparse")
        .input(variants)
        .attr("dtype", d.type())
        .build()
        .outputs();
  }

  private static List<Output> ragged(Draw d, DatasetNodes nodes, Output variant, DataType splits) {
    return nodes
        .tf
        .scope()
        .operation("RaggedTensorFromVariant")
        .input(variant)
        .attr("input_ragged_rank", 1)
        .attr("output_ragged_rank", 1)
        .attr("Tvalues", d.type())
        .attr("Tsplits", splits)
        .build()
        .outputs();
  }
}
