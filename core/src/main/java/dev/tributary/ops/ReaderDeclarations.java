package dev.tributary.ops;

import static dev.tributary.ops.HandleDeclarations.versioned;

import dev.tributary.graph.InferenceContext;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.io.ReaderKernels;
import dev.tributary.kernel.resource.HandleForm;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/** The ops that make readers and read from them, with reference handles and resource handles. */
final class ReaderDeclarations {
  private static final int WITHDRAWN = 26;

  private ReaderDeclarations() {}

  static List<OpDeclaration> declarations() {
    List<OpDeclaration> all = new ArrayList<>();
    for (HandleForm form : HandleForm.values()) {
      all.addAll(makers(form));
      all.addAll(users(form));
    }
    return all;
  }

  private static List<OpDeclaration> makers(HandleForm form) {
    Declaration fixedLength =
        withdrawn("FixedLengthRecordReader", form)
            .attr("header_bytes: int = 0")
            .attr("record_bytes: int")
            .attr("footer_bytes: int = 0")
            .attr("hop_bytes: int = 0");
    named(fixedLength);
    if (form == HandleForm.RESOURCE) {
      fixedLength.attr("encoding: string = ''");
    }
    return List.of(
        named(maker("WholeFileReader", form))
            .kernel(node -> ReaderKernels.wholeFile(node, form))
            .notDifferentiable(),
        named(withdrawn("IdentityReader", form))
            .kernel(node -> ReaderKernels.identity(node, form))
            .notDifferentiable(),
        named(withdrawn("TextLineReader", form).attr("skip_header_lines: int = 0"))
            .kernel(node -> ReaderKernels.textLine(node, form))
            .notDifferentiable(),
        fixedLength.kernel(node -> ReaderKernels.fixedLength(node, form)).notDifferentiable(),
        named(withdrawn("TFRecordReader", form))
            .attr("compression_type: string = ''")
            .kernel(node -> ReaderKernels.tfRecord(node, form))
            .notDifferentiable());
  }

  private static List<OpDeclaration> users(HandleForm form) {
    return List.of(
        user("ReaderRead", form)
            .input("queue_handle" + HandleDeclarations.type(form))
            .output("key: string")
            .output("value: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.read(node, form))
            .notDifferentiable(),
        user("ReaderReadUpTo", form)
            .input("queue_handle" + HandleDeclarations.type(form))
            .input("num_records: int64")
            .output("keys: string")
            .output("values: string")
            .shape(ReaderDeclarations::vectors)
            .kernel(node -> ReaderKernels.readUpTo(node, form))
            .notDifferentiable(),
        user("ReaderNumRecordsProduced", form)
            .output("records_produced: int64")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.recordsProduced(node, form))
            .notDifferentiable(),
        user("ReaderNumWorkUnitsCompleted", form)
            .output("units_completed: int64")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.workUnitsCompleted(node, form))
            .notDifferentiable(),
        user("ReaderSerializeState", form)
            .output("state: string")
            .shape(ShapeRules::scalar)
            .kernel(node -> ReaderKernels.serializeState(node, form))
            .notDifferentiable(),
        user("ReaderRestoreState", form)
            .input("state: string")
            .shape(c -> c.withRank(1, 0))
            .kernel(node -> ReaderKernels.restoreState(node, form))
            .notDifferentiable(),
        user("ReaderReset", form)
            .shape(ShapeRules::unknown)
            .kernel(node -> ReaderKernels.reset(node, form))
            .notDifferentiable());
  }

  private static void vectors(InferenceContext context) {
    context.withRank(2, 0);
    context.output(0, Shape.ofRank(1));
    context.output(1, Shape.ofRank(1));
  }

  private static Declaration maker(String name, HandleForm form) {
    return HandleDeclarations.maker(versioned(name, form), form, "reader_handle");
  }

  /** A maker whose form with references is no longer for new graphs. */
  private static Declaration withdrawn(String name, HandleForm form) {
    Declaration maker = maker(name, form);
    return form == HandleForm.REFERENCE ? maker.deprecated(WITHDRAWN, "Use " + name + "V2") : maker;
  }

  private static Declaration named(Declaration maker) {
    return maker.attr("container: string = ''").attr("shared_name: string = ''");
  }

  private static Declaration user(String name, HandleForm form) {
    return HandleDeclarations.user(versioned(name, form), form, "reader_handle");
  }
}
