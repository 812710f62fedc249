package dev.tributary.flow;

import dev.tributary.graph.FlowKind;
import dev.tributary.graph.Graph;
import dev.tributary.graph.GradientRule;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.OpRegistry;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.graph.ShapeRule;
import dev.tributary.graph.ShapeRules;
import dev.tributary.kernel.Kernel;
import dev.tributary.kernel.KernelContext;
import dev.tributary.op.OpDefBuilder;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;

public final class PlainMath {
  public static Ops create() {
    List<OpDeclaration> all = new ArrayList<>(Ops.registry().all());
    for (OpDeclaration d : declarations()) {
      if (all.stream().noneMatch(a -> a.name().equals(d.name()))) {
        all.add(d);
      }
    }
    return new Ops(new Graph(new OpRegistry(all)).scope());
  }

  static double get(Tensor t, long i) {
    switch (t.type()) {
      case FLOAT: return t.getFloat(i);
      case DOUBLE: return t.getDouble(i);
      case INT32: return t.getInt(i);
      case INT64: return t.getLong(i);
      default: return t.getBoolean(i) ? 1 : 0;
    }
  }

  static void put(Tensor t, long i, double v) {
    switch (t.type()) {
      case FLOAT: Memory.putFloat(t.address() + 4 * i, (float) v); break;
      case DOUBLE: Memory.putDouble(t.address() + 8 * i, v); break;
      case INT32: Memory.putInt(t.address() + 4 * i, (int) v); break;
      case INT64: Memory.putLong(t.address() + 8 * i, (long) v); break;
      default: Memory.putBoolean(t.address() + i, v != 0);
    }
  }

  private static void apply(KernelContext c, DoubleBinaryOperator f) {
    Tensor a = c.input(0);
    Tensor b = c.inputCount() > 1 ? c.input(1) : a;
    Tensor out = c.allocateOutput(0, a.elementCount() >= b.elementCount() ? a.shape() : b.shape());
    for (long i = 0; i < out.elementCount(); i++) {
      put(out, i, f.applyAsDouble(get(a, a.elementCount() == 1 ? 0 : i), get(b, b.elementCount() == 1 ? 0 : i)));
    }
  }

  private static OpDeclaration decl(OpDefBuilder def, ShapeRule shape, Kernel kernel, GradientRule rule) {
    return new OpDeclaration(def.build(), shape, Optional.empty(), node -> kernel, Optional.ofNullable(rule), FlowKind.NONE, Set.of());
  }

  private static OpDefBuilder binaryDef(String name, String out) {
    OpDefBuilder def = new OpDefBuilder(name);
    def.input("x: T");
    def.input("y: T");
    def.output("z: " + out);
    def.attr("T: type");
    return def;
  }

  private static OpDefBuilder unaryDef(String name) {
    OpDefBuilder def = new OpDefBuilder(name);
    def.input("x: T");
    def.output("y: T");
    def.attr("T: type");
    return def;
  }

  private static OpDeclaration binary(String name, DoubleBinaryOperator f, GradientRule rule) {
    return decl(binaryDef(name, "T"), PlainMath::bigger, c -> apply(c, f), rule);
  }

  private static void bigger(dev.tributary.graph.InferenceContext c) {
    c.output(0, c.input(0).isScalar() ? c.input(1) : c.input(0));
  }

  private static OpDeclaration compare(String name, DoubleBinaryOperator f) {
    return decl(binaryDef(name, "bool"), PlainMath::bigger, c -> apply(c, f), null);
  }

  static Output mul(Scope s, Output a, GradientValue b) {
    return s.operation("Mul").input(a).input((Output) b).buildOutput();
  }

  private static List<OpDeclaration> declarations() {
    OpDefBuilder addN = new OpDefBuilder("AddN");
    addN.input("inputs: N * T");
    addN.output("sum: T");
    addN.attr("N: int >= 1");
    addN.attr("T: type");
    OpDefBuilder fill = new OpDefBuilder("Fill");
    fill.input("dims: index_type");
    fill.input("value: T");
    fill.output("output: T");
    fill.attr("T: type");
    fill.attr("index_type: type = int32");
    OpDefBuilder matmul = new OpDefBuilder("MatMul");
    matmul.input("a: T");
    matmul.input("b: T");
    matmul.output("product: T");
    matmul.attr("transpose_a: bool = false");
    matmul.attr("transpose_b: bool = false");
    matmul.attr("T: type");
    return List.of(
        binary("Add", (a, b) -> a + b, (s, op, dy) -> List.of(dy.get(0), dy.get(0))),
        binary("Sub", (a, b) -> a - b, (s, op, dy) -> List.of(dy.get(0), s.operation("Neg").input((Output) dy.get(0)).buildOutput())),
        binary("Mul", (a, b) -> a * b, (s, op, dy) -> List.of(mul(s, op.input(1), dy.get(0)), mul(s, op.input(0), dy.get(0)))),
        binary("FloorMod", (a, b) -> Math.floorMod((long) a, (long) b), null),
        compare("Less", (a, b) -> a < b ? 1 : 0),
        compare("Greater", (a, b) -> a > b ? 1 : 0),
        compare("Equal", (a, b) -> a == b ? 1 : 0),
        compare("NotEqual", (a, b) -> a != b ? 1 : 0),
        decl(unaryDef("Neg"), ShapeRules::unchanged, c -> apply(c, (a, b) -> -a), (s, op, dy) -> List.of(s.operation("Neg").input((Output) dy.get(0)).buildOutput())),
        decl(unaryDef("Tanh"), ShapeRules::unchanged, c -> apply(c, (a, b) -> Math.tanh(a)),
            (s, op, dy) -> List.of(mul(s, s.operation("Sub").input(new Ops(s).constant(Tensor.scalar(1.0))).input(mul(s, op.output(0), op.output(0))).buildOutput(), dy.get(0)))),
        decl(unaryDef("ZerosLike"), ShapeRules::unchanged, c -> apply(c, (a, b) -> 0), null),
        decl(unaryDef("OnesLike"), ShapeRules::unchanged, c -> apply(c, (a, b) -> 1), null),
        decl(addN, ShapeRules::unchanged, c -> {
          Tensor out = c.allocateOutput(0, c.input(0).shape());
          for (long i = 0; i < out.elementCount(); i++) {
            double sum = 0;
            for (int k = 0; k < c.inputCount(); k++) {
              sum += get(c.input(k), i);
            }
            put(out, i, sum);
          }
        }, null),
        decl(fill, c -> c.output(0, c.knownShape(0)), c -> {
          Tensor out = c.allocateOutput(0, Shape.of(c.input(0).toIndices()));
          for (long i = 0; i < out.elementCount(); i++) {
            put(out, i, get(c.input(1), 0));
          }
        }, null));
  }
}
