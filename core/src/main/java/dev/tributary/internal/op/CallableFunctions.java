package dev.tributary.internal.op;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The functions of a graph, as far as operations that call them need to know. Their bodies are
 * graphs, so the library that has them is above graphs. Safe for use by many threads.
 */
public interface CallableFunctions {
  /** The functions of a graph that has none. */
  CallableFunctions NONE =
      new CallableFunctions() {
        @Override
        public Optional<OpDeclaration> declaration(String name) {
          return Optional.empty();
        }

        @Override
        public List<KnownShape> results(AttrValue.Function call, List<KnownShape> arguments) {
          throw notFound(call.name(), List.of());
        }

        @Override
        public void close() {}
      };

  /** The declaration by which a node calls a function of this name as an op, if there is one. */
  Optional<OpDeclaration> declaration(String name);

  /**
   * Returns what is known of the results of a call. If an op in the body is not known here, that is
   * nothing: whoever runs the call gets the error.
   */
  List<KnownShape> results(AttrValue.Function call, List<KnownShape> arguments);

  /** Releases the tensors that bodies hold. */
  void close();

  /** The error of a call of a function that is not there; it names some that are. */
  static TributaryException notFound(String name, Collection<String> functions) {
    return TributaryException.invalidArgument(
        "Failed to find function \"%s\" in function library: it has %d functions%s",
        name,
        functions.size(),
        functions.isEmpty() ? "" : ", " + functions.stream().limit(10).toList());
  }
}
