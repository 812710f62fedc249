package dev.tributary.app.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import dev.tributary.testing.FunctionGraphs;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.SavedModelFolder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@NoLeaks
class ModelCommandTest {
  @TempDir private Path folder;
  private Path model;

  @BeforeEach
  void name() {
    model = folder.resolve("model");
  }

  // ---- show ----

  @Test
  void show_modelOfTensorFlow2_listsItsParts() {
    SavedModelFolder.dense(model).write();

    CommandOutcome shown = CommandOutcome.of("model", "show", model.toString());

    assertThat(shown.exitCode()).as(shown.err()).isZero();
    assertThat(shown.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains(
            "Meta graph with tags serve, in the style of TensorFlow 2, version 2.18.0",
            "Signature serving_default (tensorflow/serving/predict)",
            "input x float [?,2] serving_default_x:0",
            "output output_0 float [?,3] StatefulPartitionedCall:0",
            "2 variables with 9 elements",
            "layers/0/bias float [3]",
            "24 nodes of 12 ops, some of them in 3 functions",
            "StatefulPartitionedCall 3",
            "All ops that signatures need are supported");
  }

  @Test
  void show_modelWithFiles_listsThemAndThoseThatAreMissing() throws Exception {
    SavedModelFolder.vocabulary(model).initSignature("init").write();
    assertThat(CommandOutcome.of("model", "show", model.toString()).out())
        .contains("vocabulary.txt  14 bytes  asset:0", "No variables");
    Files.delete(model.resolve("assets/vocabulary.txt"));

    CommandOutcome shown = CommandOutcome.of("model", "show", model.toString());
    assertThat(shown.out()).contains("vocabulary.txt  missing");
    assertThat(shown.exitCode()).isEqualTo(1);
  }

  @Test
  void show_unknownOps_namesThemAndWhoNeedsThem() {
    SavedModelFolder.halfPlusTwo(model)
        .graph(FunctionGraphs.node("m", "Mystery", "x"))
        .signature("odd", "x=x:0 float -1", "y=m:0 float -1")
        .write();

    CommandOutcome shown = CommandOutcome.of("model", "show", model.toString());

    assertThat(shown.exitCode()).isEqualTo(1);
    assertThat(shown.out())
        .contains("Ops that are not supported", "signature odd  'Mystery' (node 'm')")
        .doesNotContain("signature serving_default  ");
  }

  @Test
  void show_damagedVariables_saysSoAndShowsTheRest() throws Exception {
    SavedModelFolder.halfPlusTwo(model).write();
    Files.write(model.resolve("variables/variables.index"), new byte[10]);

    CommandOutcome shown = CommandOutcome.of("model", "show", model.toString());

    assertThat(shown.out())
        .contains("Variables cannot be read", "Signature serving_default", "14 nodes");
    assertThat(shown.exitCode()).isEqualTo(1);
  }

  @Test
  void show_missingShard_namesTheFile() throws Exception {
    SavedModelFolder.halfPlusTwo(model).write();
    Files.delete(model.resolve("variables/variables.data-00000-of-00001"));

    CommandOutcome shown = CommandOutcome.of("model", "show", model.toString());

    assertThat(shown.out()).contains("2 variables", "missing: variables.data-00000-of-00001");
    assertThat(shown.exitCode()).isEqualTo(1);
  }

  @Test
  void show_noModel_isOneLine() {
    CommandOutcome shown = CommandOutcome.of("model", "show", folder.toString());

    assertThat(shown.exitCode()).isEqualTo(1);
    assertThat(shown.err().lines()).hasSize(1);
    assertThat(shown.err()).contains("is not a SavedModel");
  }

  // ---- run ----

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "json | {\"x\": [[1, 2]]}",
        "json | [[1, 2]]",
        "csv | 1,2",
        "csv | x,x;1,2",
        "csv | ' 1 , 2.0 '"
      })
  void run_inputsInAFile_printsTheOutputs(String extension, String content) throws Exception {
    SavedModelFolder.dense(model).write();
    Path inputs = Files.writeString(folder.resolve("in." + extension), content.replace(';', '\n'));

    CommandOutcome run =
        CommandOutcome.of("model", "run", model.toString(), "--inputs", inputs.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines()).containsExactly("{", "  \"output_0\": [[9.5,0.0,16.0]]", "}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<f4", "<f8", "<i4", "<i8"})
  void run_arrayOfNumPy_isConverted(String type) throws Exception {
    SavedModelFolder.dense(model).write();
    Path inputs = Files.write(folder.resolve("in.npy"), npy(type, "(1, 2)", "False"));

    CommandOutcome run =
        CommandOutcome.of("model", "run", model.toString(), "--inputs", "x=" + inputs);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("[[9.5,0.0,16.0]]");
  }

  @Test
  void run_arrayInFortransOrder_isReadRowByRow() throws Exception {
    SavedModelFolder.dense(model).write();
    Path inputs = folder.resolve("in.npy");
    Files.write(inputs, npy("<f4", "(3, 2)", "True", 1, 3, 5, 2, 4, 6));

    CommandOutcome run =
        CommandOutcome.of("model", "run", model.toString(), "--inputs", inputs.toString());

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("[[9.5,0.0,16.0],[19.5,0.0,34.0],[29.5,0.0,52.0]]");
  }

  @Test
  void run_strings_areReadFromEachForm() throws Exception {
    SavedModelFolder.vocabulary(model).initSignature("init").write();
    Path json =
        Files.writeString(folder.resolve("in.json"), "{\"words\":[\"fox\",{\"b64\":\"dGhl\"}]}");
    Path csv = Files.writeString(folder.resolve("in.csv"), "words\nfox\n\"the\"\n");

    for (Path inputs : new Path[] {json, csv}) {
      assertThat(
              CommandOutcome.of("model", "run", model.toString(), "--inputs", inputs.toString())
                  .out())
          .contains("\"id\": [2,0]");
    }
  }

  @Test
  void run_signatureByName_isCalled() throws Exception {
    SavedModelFolder.halfPlusTwo(model)
        .graph(FunctionGraphs.node("n", "Neg", "x", "T=float"))
        .signature("negate", "x=x:0 float -1", "y=n:0 float -1")
        .write();
    Path inputs = Files.writeString(folder.resolve("in.csv"), "1\n-2.5\n");

    assertThat(
            CommandOutcome.of(
                    "model",
                    "run",
                    model.toString(),
                    "--signature=negate",
                    "--inputs",
                    inputs.toString())
                .out())
        .contains("[-1.0,2.5]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "json | {\"x\": [[1, 2], [3]]} | differ in length",
        "json | {\"x\": [[1, \"two\"]]} | element 1 is 'two'",
        "json | {\"x\": [[1, 2]], \"y\": 1} | no input 'y'",
        "json | {\"x\": [[1, 2, 3]]} | is float [?,2], got float [1,3]",
        "json | {\"x\": [[1, 2 | not JSON",
        "json | {\"x\": null} | wanted a number",
        "json | {\"x\": [[1, 2]], \"x\": [[3, 4]]} | 'x' is given twice",
        "json | '' | the file is empty",
        "csv | 1,2;3 | row 2 has 1 columns",
        "csv | 1,two | element 1 is 'two'",
        "csv | '' | no rows",
        "npy | 12345678901234 | does not begin as a .npy file",
        "txt | 1 | .json, .csv or .npy"
      })
  void run_wrongInputs_areExplained(String extension, String content, String message)
      throws Exception {
    SavedModelFolder.dense(model).write();
    Path inputs = Files.writeString(folder.resolve("in." + extension), content.replace(';', '\n'));

    CommandOutcome run =
        CommandOutcome.of("model", "run", model.toString(), "--inputs", inputs.toString());

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(message).doesNotContain("Exception");
  }

  @Test
  void run_damagedArray_isExplained() throws Exception {
    SavedModelFolder.dense(model).write();
    Path inputs = folder.resolve("in.npy");
    byte[] whole = npy("<f4", "(1, 2)", "False");
    for (int size = 0; size < whole.length; size += 10) {
      Files.write(inputs, Arrays.copyOf(whole, size));
      CommandOutcome run =
          CommandOutcome.of("model", "run", model.toString(), "--inputs", inputs.toString());
      assertThat(run.exitCode()).as("%d bytes", size).isIn(1, 2);
      assertThat(run.err()).contains("in.npy").doesNotContain("Exception");
    }
    Files.write(inputs, npy("<c8", "(1, 2)", "False"));
    assertThat(
            CommandOutcome.of("model", "run", model.toString(), "--inputs", inputs.toString())
                .err())
        .contains("<c8");
  }

  @Test
  void run_inputGivenTwiceOrLeftOut_isExplained() throws Exception {
    SavedModelFolder.dense(model).write();
    String inputs = Files.writeString(folder.resolve("in.csv"), "1,2\n").toString();

    assertThat(
            CommandOutcome.of(
                    "model", "run", model.toString(), "--inputs", inputs, "--inputs", inputs)
                .err())
        .contains("'x' is given twice");
    assertThat(CommandOutcome.of("model", "run", model.toString()).err()).contains("missing: [x]");
  }

  /** The array of 1 and 2. */
  private static byte[] npy(String type, String shape, String fortran) {
    return npy(type, shape, fortran, 1, 2);
  }

  private static byte[] npy(String type, String shape, String fortran, int... values) {
    String header =
        "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n";
    ByteBuffer elements = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      switch (type) {
        case "<f4" -> elements.putFloat(value);
        case "<f8" -> elements.putDouble(value);
        case "<i4" -> elements.putInt(value);
        default -> elements.putLong(value);
      }
    }
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    file.writeBytes(new byte[] {(byte) header.length(), 0});
    file.writeBytes(header.getBytes(StandardCharsets.US_ASCII));
    file.write(elements.array(), 0, elements.position());
    return file.toByteArray();
  }
}
