package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.text.RegexKernels;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.op.OpFlag;
import dev.tributary.internal.op.ShapeRules;
import java.util.List;

/** Strings and regular expressions, in RE2's syntax. */
abstract sealed class PatternOps extends UnicodeOps permits TextOps {
  PatternOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("RegexReplace")
            .input("input: string")
            .input("pattern: string")
            .input("rewrite: string")
            .output("output: string")
            .attr("replace_global: bool = true")
            .shape(
                c -> {
                  c.withRank(1, 0);
                  c.withRank(2, 0);
                  ShapeRules.unchanged(c);
                })
            .kernel(RegexKernels::replace)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("StaticRegexReplace")
            .input("input: string")
            .output("output: string")
            .attr("pattern: string")
            .attr("rewrite: string")
            .attr("replace_global: bool = true")
            .shape(ShapeRules::unchanged)
            .kernel(RegexKernels::staticReplace)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("RegexFullMatch")
            .input("input: string")
            .input("pattern: string")
            .output("output: bool")
            .shape(
                c -> {
                  c.withRank(1, 0);
                  ShapeRules.unchanged(c);
                })
            .kernel(RegexKernels::fullMatch)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable(),
        op("StaticRegexFullMatch")
            .input("input: string")
            .output("output: bool")
            .attr("pattern: string")
            .shape(ShapeRules::unchanged)
            .kernel(RegexKernels::staticFullMatch)
            .flag(OpFlag.EXPENSIVE)
            .notDifferentiable());
  }

  /**
   * Each string with all matches of a pattern rewritten; {@code \1} stands for the first group of
   * the match, {@code \0} for the whole.
   */
  public Output regexReplace(Operand input, String pattern, String rewrite) {
    return scope
        .operation("StaticRegexReplace")
        .input(input)
        .attr("pattern", pattern)
        .attr("rewrite", rewrite)
        .buildOutput();
  }

  /** The same with a pattern and a rewrite that the graph computes, both scalars. */
  public Output regexReplace(Operand input, Operand pattern, Operand rewrite) {
    return scope.operation("RegexReplace").input(input).input(pattern).input(rewrite).buildOutput();
  }

  /** True for each string that a pattern matches as a whole. */
  public Output regexFullMatch(Operand input, String pattern) {
    return scope
        .operation("StaticRegexFullMatch")
        .input(input)
        .attr("pattern", pattern)
        .buildOutput();
  }

  /** The same with a pattern that the graph computes, a scalar. */
  public Output regexFullMatch(Operand input, Operand pattern) {
    return scope.operation("RegexFullMatch").input(input).input(pattern).buildOutput();
  }
}
