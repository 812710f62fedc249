package dev.tributary.bench;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;

/**
 * A variable of floats on the parameter server, of either kind, with what the course does to it.
 * The nodes that it makes are on the parameter server, too.
 */
final class CourseVariable {
  private final Ops ps;
  private final VariableKind kind;
  private final Output handle;
  private final Output value;
  private final Operation initializer;

  CourseVariable(Ops ps, VariableKind kind, String name, Output initial) {
    this.ps = ps;
    this.kind = kind;
    switch (kind) {
      case resource -> {
        Variable variable = ps.variable(name, initial);
        handle = variable.handle();
        value = variable.value();
        initializer = variable.initializer();
      }
      case ref -> {
        handle = ps.withName(name).state.variableV2(DataType.FLOAT, initial.shape());
        // Without it a worker would receive the variable once for each use.
        value = ps.identity(handle);
        initializer = ps.state.assign(handle, initial).operation();
      }
      default -> throw new AssertionError(kind);
    }
  }

  /** One of this shape, each element with the same value. */
  static CourseVariable filled(Ops ps, VariableKind kind, float element, int... sizes) {
    return new CourseVariable(ps, kind, "v", ps.fill(ps.constant(sizes), ps.constant(element)));
  }

  /** The handle that optimizers update. */
  Output handle() {
    return handle;
  }

  Output value() {
    return value;
  }

  Operation initializer() {
    return initializer;
  }

  Operation add(Output term) {
    return switch (kind) {
      case resource -> ps.state.assignAddVariableOp(handle, term);
      case ref -> ps.state.assignAdd(handle, term).operation();
    };
  }

  Operation subtract(Output term) {
    return switch (kind) {
      case resource -> ps.state.assignSubVariableOp(handle, term);
      case ref -> ps.state.assignSub(handle, term).operation();
    };
  }

  Output gather(Output ids) {
    return switch (kind) {
      case resource -> ps.state.resourceGather(handle, ids, DataType.FLOAT);
      case ref -> ps.gather(handle, ids);
    };
  }

  Operation scatterSubtract(Output ids, Output rows) {
    return switch (kind) {
      case resource -> ps.state.resourceScatterSub(handle, ids, rows);
      case ref -> ps.state.scatterSub(handle, ids, rows).operation();
    };
  }
}
