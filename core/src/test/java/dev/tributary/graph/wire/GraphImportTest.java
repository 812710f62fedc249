package dev.tributary.graph.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.TestOps;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.wire.AttrValues;
import dev.tributary.internal.wire.Versions;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

class GraphImportTest {
  private static final String X =
      "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } }";
  private static final String FLOAT = "attr { key: 'T' value { type: DT_FLOAT } }";

  private final Graph graph = TestOps.graph();
  private Output here;

  @BeforeEach
  void putSomethingIntoTheGraph() {
    here =
        graph
            .scope()
            .withName("here")
            .operation("Placeholder")
            .attr("dtype", DataType.FLOAT)
            .buildOutput();
  }

  // ---- what comes in ----

  @Test
  void importInto_missingAttributes_getTheirDefaults() {
    imported(X + relu("r", "x") + matMul("x", "r"));

    assertThat(graph.operation("m").attributes().bool("transpose_a")).isFalse();
    assertThat(graph.operation("m").input(0).name()).isEqualTo("x:0");
  }

  @Test
  void importInto_attributeOfALaterTensorFlow_isIgnored() {
    imported(
        X
            + "node { name: 'r' op: 'Relu' input: 'x' "
            + FLOAT
            + " attr { key: 'later' value { i: 1 } } }");

    assertThat(graph.operation("r").attributes().has("later")).isFalse();
  }

  @Test
  void importInto_attributeWithUnderscore_stays() {
    imported(
        X
            + "node { name: 'r' op: 'Relu' input: 'x' "
            + FLOAT
            + " attr { key: '_mine' value { i: 1 } } }");

    assertThat(graph.operation("r").attributes().integer("_mine")).isEqualTo(1);
  }

  @Test
  void importInto_firstOutputWithNumber_isTheFirstOutput() {
    imported(X + relu("r", "x:0"));

    assertThat(graph.operation("r").input(0)).isEqualTo(graph.output("x"));
  }

  @Test
  void importInto_sameControlInputTwice_isOne() {
    imported(X + "node { name: 'n' op: 'NoOp' input: '^x' input: '^x' }");

    assertThat(graph.operation("n").controlInputs()).containsExactly(graph.operation("x"));
  }

  @Test
  void importInto_emptyMessage_changesNothing() {
    assertThat(imported("").operations()).isEmpty();
    assertThat(graph.size()).isEqualTo(1);
  }

  // ---- options ----

  @Test
  void prefix_usedTwice_isSharedWhileNamesDiffer() {
    importInto(X, ImportOptions.defaults().withPrefix("p"));
    importInto(X.replace("'x'", "'y'"), ImportOptions.defaults().withPrefix("p/"));

    assertThat(names()).containsExactly("here", "p/x", "p/y");
  }

  @Test
  void existing_inputsOfTheGraph_areConnected() {
    ImportOptions extension = ImportOptions.defaults().withExisting();
    importInto(relu("r", "here") + "node { name: 'n' op: 'NoOp' input: '^here' }", extension);

    assertThat(graph.operation("r").input(0)).isEqualTo(here);
    assertThat(graph.operation("n").controlInputs()).containsExactly(here.operation());
  }

  @Test
  void existing_outputThatTheGraphHasNot_isRefused() {
    ImportOptions extension = ImportOptions.defaults().withExisting();

    TributaryException e =
        catchThrowableOfType(
            TributaryException.class, () -> importInto(relu("r", "here:1"), extension));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(names()).containsExactly("here");
  }

  @Test
  void check_thatFails_leavesTheGraphAsItWas() {
    ImportOptions refused =
        ImportOptions.defaults()
            .withCheck(
                operations -> {
                  throw TributaryException.invalidArgument("%d refused", operations.size());
                });

    TributaryException e =
        catchThrowableOfType(TributaryException.class, () -> importInto(X, refused));

    assertThat(e).hasMessage("1 refused");
    assertThat(names()).containsExactly("here");
  }

  @Test
  void uniquePrefix_usedTwice_getsANumber() {
    ImportOptions options = ImportOptions.defaults().withUniquePrefix("p");

    assertThat(importInto(X, options).prefix()).isEqualTo("p/");
    assertThat(importInto(X, options).prefix()).isEqualTo("p_1/");
    assertThat(names()).containsExactly("here", "p/x", "p_1/x");
  }

  @Test
  void uniquePrefix_afterAFailure_isFreeAgain() {
    ImportOptions options = ImportOptions.defaults().withUniquePrefix("p");
    String invalid = X.replace("FLOAT", "INVALID");
    for (String wrong : List.of(X + relu("r", "none"), X + invalid, invalid)) {
      assertThatExceptionOfType(TributaryException.class)
          .isThrownBy(() -> importInto(wrong, options));
    }

    assertThat(importInto(X, options).prefix()).isEqualTo("p/");
  }

  @Test
  void uniquePrefix_nameOfAnImportedScope_getsANumber() {
    imported(X.replace("'x'", "'p/q/x'"));

    assertThat(importInto(X, ImportOptions.defaults().withUniquePrefix("p")).prefix())
        .isEqualTo("p_1/");
    assertThat(graph.scope().withSubScope("p/q").operation("NoOp").build().name())
        .isEqualTo("p/q_1/NoOp");
  }

  @Test
  void input_tensor_isReplacedForAllUsers() {
    ImportedGraph result =
        importInto(
            X + relu("r", "x") + relu("s", "x:0"),
            ImportOptions.defaults()
                .withInput("x", here)
                .withReturnOutput("x:0")
                .withReturnOutput("s")
                .withReturnOperation("r"));

    assertThat(graph.operation("r").input(0)).isEqualTo(here);
    assertThat(graph.operation("s").input(0)).isEqualTo(here);
    assertThat(result.outputs()).containsExactly(here, graph.output("s"));
    assertThat(result.returned()).containsExactly(graph.operation("r"));
  }

  @Test
  void control_operation_isReplacedAsControlInputOnly() {
    importInto(
        X + "node { name: 'i' op: 'Identity' input: 'x' input: '^x' " + FLOAT + " }",
        ImportOptions.defaults().withControl("^x", here.operation()));

    assertThat(graph.operation("i").controlInputs()).containsExactly(here.operation());
    assertThat(graph.operation("i").input(0)).isEqualTo(graph.output("x"));
  }

  @Test
  void input_noSuchTensor_isRefused() {
    assertFails(X, ImportOptions.defaults().withInput("y", here), ErrorCode.NOT_FOUND, "'y'");
    assertFails(
        X, ImportOptions.defaults().withInput("x:1", here), ErrorCode.INVALID_ARGUMENT, "'x:1'");
  }

  @Test
  void input_outputOfAnotherGraph_isRefused() {
    Output elsewhere =
        TestOps.graph()
            .scope()
            .operation("Placeholder")
            .attr("dtype", DataType.FLOAT)
            .buildOutput();

    ImportOptions options = ImportOptions.defaults().withInput("x", elsewhere);
    assertFails(
        X + relu("r", "x"), options, ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "another graph");
  }

  @Test
  void controlDependency_nodes_waitUnlessTheirInputsDo() {
    importInto(
        X
            + relu("r", "x")
            + "node { name: 'n' op: 'NoOp' }"
            + "node { name: 'o' op: 'NoOp' input: '^n' }"
            + relu("s", "y")
            + X.replace("'x'", "'y'"),
        ImportOptions.defaults().withControlDependency(here.operation()).withInput("y", here));

    assertThat(graph.operation("x").controlInputs()).containsExactly(here.operation());
    assertThat(graph.operation("n").controlInputs()).containsExactly(here.operation());
    assertThat(graph.operation("s").controlInputs()).containsExactly(here.operation());
    assertThat(graph.operation("r").controlInputs()).isEmpty();
    assertThat(graph.operation("o").controlInputs()).containsExactly(graph.operation("n"));
  }

  @Test
  void controlDependency_mergeOfALoop_inheritsItFromTheEnter() {
    GraphDefs.importInto(
        graph,
        GoldenGraphs.loop(),
        ImportOptions.defaults().withControlDependency(here.operation()));

    assertThat(
            graph.operations().stream().filter(o -> o.controlInputs().contains(here.operation())))
        .extracting(Operation::name)
        .containsExactly("Const");
  }

  @Test
  void returnOutput_noSuchNode_isRefused() {
    assertFails(X, ImportOptions.defaults().withReturnOutput("y"), ErrorCode.NOT_FOUND, "'y'");
    assertFails(X, ImportOptions.defaults().withReturnOperation("y"), ErrorCode.NOT_FOUND, "'y'");
  }

  @Test
  void internalNames_allowed_comeIn() {
    importInto(X.replace("'x'", "'_x'"), ImportOptions.defaults().withInternalNames());

    assertThat(names()).containsExactly("here", "_x");
  }

  // ---- what is refused ----

  @Test
  void importInto_nameTwice_isRefused() {
    assertFails(X + X, ErrorCode.INVALID_ARGUMENT, "Placeholder 'x'", "two nodes");
  }

  @Test
  void importInto_nameInTheGraph_isRefused() {
    assertFails(X + X.replace("'x'", "'here'"), ErrorCode.INVALID_ARGUMENT, "'here'", "already");
  }

  @Test
  void importInto_badNames_areRefused() {
    for (String name : List.of("a b", "-a", "_a", "a:0", "^a", "/a", "ä", "a\\n")) {
      assertFails(X.replace("'x'", "'" + name + "'"), ErrorCode.INVALID_ARGUMENT, "Placeholder '");
    }
    assertFails(
        X.replace("'x'", "''"), ErrorCode.INVALID_ARGUMENT, "node 0, a Placeholder, has no name");
  }

  @Test
  void importInto_malformedInputs_areRefused() {
    for (String input :
        List.of(
            "x:01", "x:-1", "x:", ":0", "", "x:0:0", "^x:0", "^", "^^x", "x:99999999999", "x:+0")) {
      assertFails(X + relu("r", input), ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "'" + input + "'");
    }
  }

  @Test
  void importInto_controlInputBeforeData_isRefused() {
    String relu = "node { name: 'r' op: 'Relu' input: '^x' input: 'x' " + FLOAT + "}";
    assertFails(X + relu, ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "after a control input");
  }

  @Test
  void importInto_missingInput_isRefused() {
    assertFails(X + relu("r", "y"), ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "'y:0'");
    assertFails(
        "node { name: 'n' op: 'NoOp' input: '^y' }",
        ErrorCode.INVALID_ARGUMENT,
        "NoOp 'n'",
        "'^y'");
    assertFails(X + relu("r", "x:1"), ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "'x:1'", "1 outputs");
  }

  @Test
  void importInto_inputThatIsInTheGraphOnly_isRefused() {
    assertFails(relu("r", "here"), ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "'here:0'");
  }

  @Test
  void importInto_unknownOp_isNotFound() {
    assertFails(
        X.replace("Placeholder", "Plaice"), ErrorCode.NOT_FOUND, "Plaice 'x'", "Placeholder");
  }

  @Test
  void importInto_wrongTypes_areRefused() {
    assertFails(
        X + relu("r", "x").replace("FLOAT", "DOUBLE"),
        ErrorCode.INVALID_ARGUMENT,
        "Relu 'r'",
        "double");
    assertFails(
        X + relu("r", "x").replace("FLOAT", "INT64"),
        ErrorCode.INVALID_ARGUMENT,
        "Relu 'r'",
        "must be one of");
    assertFails(
        X + relu("r", "x").replace("type: DT_FLOAT", "i: 1"),
        ErrorCode.INVALID_ARGUMENT,
        "Relu 'r'",
        "int 1");
    assertFails(
        X + relu("r", "x").replace("type: DT_FLOAT", ""),
        ErrorCode.INVALID_ARGUMENT,
        "Relu 'r'",
        "'T'");
    assertFails(
        X + relu("r", "x").replace(FLOAT, ""), ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "missing");
    String assign = "node { name: 'a' op: 'Assign' input: 'x' input: 'x' " + FLOAT + " }";
    assertFails(X + assign, ErrorCode.INVALID_ARGUMENT, "Assign 'a'", "reference");
  }

  @Test
  void importInto_wrongNumberOfInputs_isRefused() {
    assertFails(
        X + relu("r", "x' input: 'x"),
        ErrorCode.INVALID_ARGUMENT,
        "Relu 'r'",
        "takes 1 inputs, got 2");
    assertFails(
        "node { name: 'r' op: 'Relu' " + FLOAT + " }",
        ErrorCode.INVALID_ARGUMENT,
        "Relu 'r'",
        "needs 1");
  }

  @Test
  void importInto_hugeOrNegativeLists_areRefused() {
    for (String n : List.of("99999999999", "2147483647", "-1", "0")) {
      String size = "attr { key: 'N' value { i: " + n + " } }";
      assertFails(
          X + "node { name: 'p' op: 'Pack' " + FLOAT + size + " }",
          ErrorCode.INVALID_ARGUMENT,
          "Pack 'p'");
      String split =
          "node { name: 's' op: 'Split' input: 'd' input: 'x' "
              + FLOAT
              + size.replace("N", "num_split")
              + " }";
      String d = X.replace("'x'", "'d'").replace("FLOAT", "INT32");
      assertFails(X + d + split, ErrorCode.INVALID_ARGUMENT, "Split 's'", "num_split");
    }
  }

  @Test
  void importInto_placeholderAttribute_isRefused() {
    String relu = relu("r", "x").replace("type: DT_FLOAT", "placeholder: 'T'");
    assertFails(X + relu, ErrorCode.INVALID_ARGUMENT, "Relu 'r'", "function");
  }

  @Test
  void importInto_badDevice_isRefused() {
    assertFails(
        X.replace("op:", "device: '/job:' op:"),
        ErrorCode.INVALID_ARGUMENT,
        "Placeholder 'x'",
        "/job:");
  }

  @Test
  void importInto_notedShapesThatCannotBe_areIgnored() {
    String shapes = "attr { key: '_output_shapes' value { list { shape { dim { size: 3 } } } } } }";
    String fixed = "attr { key: 'shape' value { shape { dim { size: 2 } } } }";

    GraphDefs.importInto(graph, GoldenGraphs.parse(X.replaceAll("}$", fixed + shapes)));

    assertThat(graph.output("x:0").shape()).isEqualTo(Shape.of(2));
  }

  @Test
  void importInto_scalarPlaceholderOfAnOldGraph_hasAnyShape() {
    String scalar = X.replaceAll("}$", "attr { key: 'shape' value { shape { } } } }");
    Graph later = TestOps.graph();

    GraphDefs.importInto(graph, GoldenGraphs.parse(scalar + " versions { producer: 23 }"));
    GraphDefs.importInto(later, GoldenGraphs.parse(scalar + " versions { producer: 24 }"));

    assertThat(graph.output("x:0").shape().hasRank()).isFalse();
    assertThat(later.output("x:0").shape()).isEqualTo(Shape.scalar());
  }

  @Test
  void importInto_severalUnknownOps_areListedWithCounts() {
    assertFails(
        X
            + "node { name: 'a' op: 'Mystery' } node { name: 'b' op: 'Mystery' }"
            + " node { name: 'c' op: 'Enigma' }",
        ErrorCode.NOT_FOUND,
        "'Enigma' (node 'c')",
        "'Mystery' (2 nodes, first 'a')");
  }

  @Test
  void importInto_cycle_isRefused() {
    assertFails(
        relu("a", "b") + relu("b", "a"),
        ErrorCode.INVALID_ARGUMENT,
        "Relu 'a'",
        "Relu 'b'",
        "cycle");
    assertFails(relu("a", "a"), ErrorCode.INVALID_ARGUMENT, "Relu 'a'", "cycle");
  }

  @Test
  void importInto_mergeThatNothingEnters_isRefused() {
    String merge =
        "node { name: 'm' op: 'Merge' input: 'n' " + FLOAT + " attr { key: 'N' value { i: 1 } } }";
    String next = "node { name: 'n' op: 'NextIteration' input: 'm' " + FLOAT + " }";
    assertFails(merge + next, ErrorCode.INVALID_ARGUMENT, "Merge 'm'", "none enters");
  }

  @Test
  void importInto_loopThatChangesItsType_isRefused() {
    GraphDef.Builder def = GoldenGraphs.loop().toBuilder();
    for (NodeDef.Builder node : def.getNodeBuilderList()) {
      if (node.getName().equals("while/NextIteration")) {
        node.setInput(0, "while/Less")
            .putAttr("T", AttrValues.toProto(AttrValue.of(DataType.BOOL)));
      }
    }
    assertFails(
        def.build(),
        ImportOptions.defaults(),
        ErrorCode.INVALID_ARGUMENT,
        "Merge 'while/Merge'",
        "int32",
        "bool");
  }

  @Test
  void importInto_versions_areChecked() {
    assertFails(X + "versions { min_consumer: 99999 }", ErrorCode.INVALID_ARGUMENT, "99999");
    assertFails(X + "versions { producer: -1 }", ErrorCode.INVALID_ARGUMENT, "-1");
    String self = Integer.toString(Versions.CONSUMER);
    assertFails(X + "versions { bad_consumers: " + self + " }", ErrorCode.INVALID_ARGUMENT, self);
  }

  @Test
  void importInto_deprecatedOp_isRefusedInGraphsSinceThen() {
    String old = X + relu("r", "x").replace("Relu", "BatchNormWithGlobalNormalization");
    assertFails(
        old + "versions { producer: 9 }", ErrorCode.UNIMPLEMENTED, "'r'", "batch_normalization");
    imported(old + "versions { producer: 8 }");

    assertThat(names()).contains("r");
  }

  // ---- size ----

  /** Well under a second when it is linear; quadratic work would take minutes. */
  @Test
  @Timeout(60)
  void importInto_twentyThousandNodesInAChainBackwards_isDone() {
    int count = 20_000;
    GraphDef.Builder def = GraphDef.newBuilder();
    for (int i = count; i > 0; i--) {
      def.addNode(GoldenGraphs.parse(relu("r" + i, i == 1 ? "x" : "r" + (i - 1))).getNode(0));
    }
    def.addNode(GoldenGraphs.parse(X).getNode(0));
    GraphDef chain = def.build();

    GraphDefs.importInto(graph, chain);

    assertThat(graph.size()).isEqualTo(count + 2);
    assertThat(GraphDefs.toProto(graph).getNodeCount()).isEqualTo(count + 2);
  }

  @Test
  @Timeout(60)
  void importInto_nodeWithTwentyThousandControlInputs_isDone() {
    int count = 20_000;
    StringBuilder text = new StringBuilder();
    StringBuilder inputs = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("node { name: 'n").append(i).append("' op: 'NoOp' }");
      inputs.append(" input: '^n").append(i).append("'");
    }
    GraphDef def = GoldenGraphs.parse(text + "node { name: 'all' op: 'NoOp'" + inputs + " }");

    GraphDefs.importInto(graph, def);

    assertThat(graph.operation("all").controlInputs()).hasSize(count);
  }

  // ---- steps ----

  private static String relu(String name, String input) {
    return "node { name: '" + name + "' op: 'Relu' input: '" + input + "' " + FLOAT + " }";
  }

  private static String matMul(String a, String b) {
    return "node { name: 'm' op: 'MatMul' input: '" + a + "' input: '" + b + "' " + FLOAT + " }";
  }

  private List<String> names() {
    return graph.operations().stream().map(Operation::name).toList();
  }

  private ImportedGraph imported(String text) {
    return importInto(text, ImportOptions.defaults());
  }

  private ImportedGraph importInto(String text, ImportOptions options) {
    return GraphDefs.importInto(graph, GoldenGraphs.parse(text), options);
  }

  private void assertFails(String text, ErrorCode code, String... parts) {
    assertFails(text, ImportOptions.defaults(), code, parts);
  }

  private void assertFails(String text, ImportOptions options, ErrorCode code, String... parts) {
    assertFails(GoldenGraphs.parse(text), options, code, parts);
  }

  private void assertFails(GraphDef def, ImportOptions options, ErrorCode code, String... parts) {
    GraphDef before = GraphDefs.toProto(graph);
    long tensors = liveTensors();
    TributaryException e =
        catchThrowableOfType(
            () -> GraphDefs.importInto(graph, def, options), TributaryException.class);

    assertThat(e).as("an error for %s", def).isNotNull();
    assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
    assertThat(e.getMessage()).contains(parts);
    assertThat(GraphDefs.toProto(graph)).isEqualTo(before);
    // Fewer if the graph of an earlier test was collected meanwhile.
    assertThat(liveTensors()).isLessThanOrEqualTo(tensors);
  }

  private static long liveTensors() {
    return Allocator.shared().stats().liveBuffers();
  }
}
