package dev.tributary.graph.wire;

import static dev.tributary.testing.FunctionGraphs.call;
import static dev.tributary.testing.FunctionGraphs.controlRet;
import static dev.tributary.testing.FunctionGraphs.def;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerConst;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static dev.tributary.testing.FunctionGraphs.signatureAttr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.library.FunctionLibrary;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.GraphDef;

/** The library of a graph message: names, bodies, attributes and what is wrong with them. */
class FunctionImportTest {
  private static final String X = placeholder("x", "float");
  private static final String SQUARE =
      function("square", "x:float -> y:float", "y=mul:z:0", inner("mul", "Mul", "x, x", "T=float"));

  private final Graph graph = new Graph(Ops.registry());

  @AfterEach
  void close() {
    graph.close();
  }

  // ---- bodies ----

  @Test
  void body_namedOutputs_countWithinTheirName() {
    FunctionBody body =
        body(
            function(
                "f",
                "x:float -> a:float, b:float, i:int32",
                "a=s:output:1, b=top:values, i=top:indices:0",
                "node_def { name: 'axis' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } }"
                    + " attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { }"
                    + " int_val: 0 } } } }",
                inner("s", "Split", "axis:output, x", "T=float", "num_split=2"),
                inner("top", "TopKV2", "x, axis:output:0", "T=float")));

    assertThat(body.results().stream().map(Output::name)).containsExactly("s:1", "top:0", "top:1");
  }

  @Test
  void body_listArguments_areWholeOrByElement() {
    FunctionBody body =
        body(
            new AttrValue.Function("f", Map.of("N", AttrValue.of(3))),
            "library { function { signature { name: 'f' input_arg { name: 'xs' type: DT_FLOAT"
                + " number_attr: 'N' } output_arg { name: 'y' type: DT_FLOAT } output_arg { name:"
                + " 'z' type: DT_FLOAT } attr { name: 'N' type: 'int' } } "
                + inner("sum", "AddN", "xs", "T=float", "N=$N")
                + " ret { key: 'y' value: 'sum:sum:0' } ret { key: 'z' value: 'xs:2' } } }");

    assertThat(body.arguments().stream().map(Output::name))
        .containsExactly("xs_0:0", "xs_1:0", "xs_2:0");
    assertThat(body.results().get(0).operation().inputs()).isEqualTo(body.arguments());
    assertThat(body.results().get(1)).isEqualTo(body.arguments().get(2));
  }

  @Test
  void body_attributes_areBoundInNestedPlacesToo() {
    FunctionBody body =
        body(
            new AttrValue.Function("outer", Map.of("T", AttrValue.of(DataType.DOUBLE))),
            function(
                "twice",
                "x:$T -> y:$T",
                "y=a:z",
                signatureAttr("T", "type"),
                inner("a", "AddV2", "x, x", "T=$T")),
            function(
                "outer",
                "x:$T -> y:$T",
                "y=c:output:0",
                signatureAttr("T", "type"),
                "node_def { name: 'c' op: 'PartitionedCall' input: 'x' attr { key: 'f' value {"
                    + " func { name: 'twice' attr { key: 'T' value { placeholder: 'T' } } } } }"
                    + " attr { key: 'Tin' value { list { type: DT_DOUBLE } } } attr { key: 'Tout'"
                    + " value { list { type: DT_DOUBLE } } } }"));

    Operation call = body.results().get(0).operation();
    assertThat(call.attributes().find("f"))
        .contains(new AttrValue.Function("twice", Map.of("T", AttrValue.of(DataType.DOUBLE))));
    assertThat(body.results().get(0).type()).isEqualTo(DataType.DOUBLE);
  }

  @Test
  void body_controlInputsAndOutputs_areThoseOfNodes() {
    FunctionBody body =
        body(
            function(
                "f",
                "x:float -> y:float",
                "y=b:output:0",
                inner("n", "NoOp", "^x"),
                inner("b", "Identity", "x, ^n", "T=float"),
                controlRet("done", "n")));

    assertThat(body.controlResults()).extracting(Operation::name).containsExactly("n");
    assertThat(body.controlResults().get(0).controlInputs())
        .containsExactly(body.arguments().get(0).operation());
    assertThat(body.results().get(0).operation().controlInputs()).isEqualTo(body.controlResults());
  }

  @Test
  void call_knownShapes_passThroughTheBody() {
    imported(
        SQUARE,
        "node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } } attr {"
            + " key: 'shape' value { shape { dim { size: 2 } dim { size: -1 } } } } }",
        call("c", "square", "x"),
        node("d", "square", "c"));

    assertThat(graph.output("c:0").shape()).isEqualTo(Shape.of(2, Shape.UNKNOWN));
    assertThat(graph.output("d:0").shape()).isEqualTo(Shape.of(2, Shape.UNKNOWN));
  }

  @Test
  void import_unusedFunctionOfUnknownOps_isKept() {
    GraphDef def = def(function("f", "x:float -> y:float", "y=n:y:0", inner("n", "Novel", "x")), X);
    GraphDefs.importInto(graph, def);

    assertThat(GraphDefs.toProto(graph).getLibrary()).isEqualTo(def.getLibrary());
  }

  @Test
  void export_whatMeansNothingHere_isAsItWasRead() {
    GraphDef def =
        def(
            X,
            SQUARE.replace(
                "signature {",
                "attr { key: '_noinline' value { b: true } } arg_attr { key: 0 value { attr { key:"
                    + " '_user_specified_name' value { s: 'x' } } } } resource_arg_unique_id { key:"
                    + " 0 value: 4 } signature { description: 'd'"),
            function("grad", "x:float, dy:float -> dx:float", "dx=x"),
            "library { gradient { function_name: 'square' gradient_func: 'grad' }"
                + " registered_gradients { gradient_func: 'grad' registered_op_type: 'Custom' } }");
    GraphDefs.importInto(graph, def);

    assertThat(GraphDefs.toProto(graph).getLibrary()).isEqualTo(def.getLibrary());
  }

  // ---- merging ----

  @Test
  void import_equalFunctionAgain_isMerged() {
    imported(SQUARE, X);
    imported(SQUARE);

    assertThat(FunctionLibrary.of(graph).size()).isEqualTo(1);
  }

  @Test
  void import_differentFunctionOfTheSameName_isRefusedAndLeavesNothing() {
    imported(SQUARE, X);
    TributaryException e =
        failure(function("other", "x:float -> y:float", "y=x"), SQUARE.replace("Mul", "Sub"));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage())
        .contains(
            "Cannot add function 'square' because a different function with the same name already"
                + " exists.");
    assertThat(FunctionLibrary.of(graph).size()).isEqualTo(1);
  }

  @Test
  void import_failingNode_takesTheFunctionsBack() {
    failure(SQUARE, node("c", "square", "nowhere"));

    assertThat(FunctionLibrary.of(graph).size()).isZero();
  }

  @Test
  void import_functionWithTheNameOfAnOp_isRefused() {
    assertThat(failure(SQUARE.replace("'square'", "'Relu'")).getMessage())
        .contains("Cannot add function 'Relu' because an op with the same name already exists.");
  }

  @Test
  void import_secondGradient_isRefused() {
    String gradient = "library { gradient { function_name: 'square' gradient_func: '%s' } }";
    imported(SQUARE, String.format(gradient, "a"));
    imported(String.format(gradient, "a"));

    assertThat(failure(String.format(gradient, "b")).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void import_recursion_isRefusedWithItsCycle() {
    TributaryException e =
        failure(
            function("f", "x:float -> y:float", "y=c:y:0", inner("c", "g", "x")),
            function(
                "g",
                "x:float -> y:float",
                "y=c:output:0",
                inner("c", "PartitionedCall", "x", "f=@f", "Tin=[float]", "Tout=[float]")));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("f -> g -> f");
  }

  @Test
  void import_recursionThroughAnEarlierFunction_isRefused() {
    imported(function("f", "x:float -> y:float", "y=c:y:0", inner("c", "g", "x")));
    TributaryException e =
        failure(function("g", "x:float -> y:float", "y=c:y:0", inner("c", "f", "x")));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("recursion cannot run");
    assertThat(FunctionLibrary.of(graph).size()).isEqualTo(1);
  }

  /** In either order: the innermost function first, or the outermost. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void import_callsTooDeep_isRefusedBeforeTheStackEnds(boolean innermostFirst) {
    List<String> chain = new ArrayList<>(List.of(SQUARE.replace("'square'", "'f0'")));
    for (int i = 1; i <= 3000; i++) {
      chain.add(function("f" + i, "x:float -> y:float", "y=a:y:0", inner("a", "f" + (i - 1), "x")));
    }
    if (!innermostFirst) {
      Collections.reverse(chain);
    }

    TributaryException e =
        failure(
            String.join("", chain), placeholder("x", "float"), node("c", "f3000", "x", "T=float"));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("more than 200 deep").hasSizeLessThan(300);
  }

  // ---- errors ----

  @Test
  void body_signatureWithoutTypes_isRefused() {
    TributaryException e =
        bodyFailure(
            "library { function { signature { name: 'f' output_arg { name: 'y' type_attr: 'T' }"
                + " attr { name: 'T' type: 'int' } } ret { key: 'y' value: 'y' } } }");

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("function 'f'", "attribute 'T' to be a type, it is a int");
  }

  @Test
  void body_hugeList_isRefusedBeforeMemoryEnds() {
    TributaryException e =
        catchThrowableOfType(
            TributaryException.class,
            () ->
                body(
                    new AttrValue.Function("f", Map.of("N", AttrValue.of(Long.MAX_VALUE))),
                    "library { function { signature { name: 'f' input_arg { name: 'xs' type:"
                        + " DT_FLOAT number_attr: 'N' } attr { name: 'N' type: 'int' } } } }"));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void body_inputInTheSyntaxOfGraphs_isRefused() {
    TributaryException e =
        bodyFailure(
            function(
                "f",
                "x:float -> y:float",
                "y=m:z:0",
                inner("a", "Neg", "x", "T=float"),
                inner("m", "Mul", "a:0, x", "T=float")));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("function 'f'", "Mul 'm'", "input 'a:0' is not found");
  }

  @Test
  void body_indexPastAList_isRefused() {
    assertThat(
            bodyFailure(
                    function(
                        "f", "x:float -> y:float", "y=a:y:1", inner("a", "Neg", "x", "T=float")))
                .getMessage())
        .contains("return value 'y'", "'a:y' has 1 values");
  }

  @Test
  void body_missingReturn_isRefused() {
    assertThat(bodyFailure(function("f", "x:float -> y:float", "")).getMessage())
        .contains("no return value for output 'y'");
  }

  @Test
  void body_controlOutputThatIsNoNode_isRefused() {
    assertThat(
            bodyFailure(function("f", "x:float -> y:float", "y=x", controlRet("done", "n")))
                .getMessage())
        .contains("control output 'done' is 'n'");
  }

  @Test
  void body_missingAttribute_isNotFound() {
    TributaryException e =
        bodyFailure(function("f", "x:$T -> y:$T", "y=x", signatureAttr("T", "type")));

    assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(e.getMessage()).contains("Attr T is not found from Op<f>");
  }

  @Test
  void body_unknownPlaceholder_isRefused() {
    assertThat(
            bodyFailure(
                    function("f", "x:float -> y:float", "y=a:y", inner("a", "Neg", "x", "T=$U")))
                .getMessage())
        .contains("Failed to bind all placeholders in a");
  }

  @Test
  void body_wrongType_isRefused() {
    assertThat(
            bodyFailure(
                    function(
                        "f", "x:float -> y:float", "y=a:y", inner("a", "Neg", "x", "T=double")))
                .code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void call_unknownFunction_isRefusedWithThoseThereAre() {
    TributaryException e = failure(SQUARE, X, call("c", "cube", "x"));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("Failed to find function \"cube\"", "square");
  }

  @Test
  void call_graphWithoutFunctions_isRefused() {
    TributaryException e =
        failure(X, node("c", "PartitionedCall", "x", "f=@square", "Tin=[float]", "Tout=[float]"));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("Failed to find function \"square\"", "0 functions");
  }

  @Test
  void import_functionsIntoAFinalGraph_areRefused() {
    graph.makeFinal();

    assertThat(failure(SQUARE).code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
    assertThat(FunctionLibrary.of(graph).size()).isZero();
  }

  @Test
  void call_wrongNumberOfArguments_isRefused() {
    assertThat(failure(SQUARE, X, call("c", "square", "x, x")).getMessage())
        .contains("takes 1 arguments, got 2");
  }

  @Test
  void body_constants_areReadWhenTheBodyIs() {
    imported(function("f", "-> y:float", "y=k:output", innerConst("k", 2)));

    assertThat(body(new AttrValue.Function("f", Map.of())).results().get(0).operation().type())
        .isEqualTo("Const");
  }

  private void imported(String... parts) {
    GraphDefs.importInto(graph, def(parts));
  }

  private TributaryException failure(String... parts) {
    return catchThrowableOfType(TributaryException.class, () -> imported(parts));
  }

  private TributaryException bodyFailure(String... parts) {
    return catchThrowableOfType(TributaryException.class, () -> body(parts));
  }

  private FunctionBody body(String... parts) {
    return body(new AttrValue.Function("f", Map.of()), parts);
  }

  private FunctionBody body(AttrValue.Function call, String... parts) {
    imported(parts);
    FunctionBody body = FunctionLibrary.of(graph).body(call);
    assertThat(List.copyOf(body.arguments())).allMatch(a -> a.operation().type().equals("_Arg"));
    return body;
  }
}
