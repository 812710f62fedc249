package dev.tributary.app;

import dev.tributary.app.launch.TaskNumber;
import dev.tributary.cluster.server.FastPaths;
import dev.tributary.session.BackendChoice;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option values, whose errors say what a person should type. */
final class Values {
  private Values() {}

  static void applyTo(CommandLine command) {
    command
        .registerConverter(int.class, number(Integer::valueOf, "a whole number"))
        .registerConverter(Integer.class, number(Integer::valueOf, "a whole number"))
        .registerConverter(long.class, number(Long::valueOf, "a whole number"))
        .registerConverter(Long.class, number(Long::valueOf, "a whole number"))
        .registerConverter(float.class, number(Float::valueOf, "a number"))
        .registerConverter(TaskNumber.class, Values::taskNumber)
        .registerConverter(BackendChoice.class, oneOf(BackendChoice.values()))
        .registerConverter(FastPaths.class, oneOf(FastPaths.values()));
  }

  private static TaskNumber taskNumber(String text) throws Exception {
    return text.equalsIgnoreCase(TaskNumber.AUTO)
        ? TaskNumber.auto()
        : TaskNumber.of(number(Integer::valueOf, "a whole number or auto").convert(text));
  }

  private static <T> ITypeConverter<T> number(Function<String, T> parser, String wanted) {
    return text -> {
      try {
        return parser.apply(text);
      } catch (NumberFormatException e) {
        boolean tooLarge = text.matches("[+-]?[0-9]{10,}");
        throw new TypeConversionException(
            "'" + text + "' is " + (tooLarge ? "too large" : "not " + wanted));
      }
    };
  }

  private static <E extends Enum<E>> ITypeConverter<E> oneOf(E[] choices) {
    return text ->
        Stream.of(choices)
            .filter(choice -> choice.name().equalsIgnoreCase(text))
            .findFirst()
            .orElseThrow(
                () ->
                    new TypeConversionException("'" + text + "' is not one of " + names(choices)));
  }

  private static String names(Enum<?>[] choices) {
    return Stream.of(choices)
        .map(choice -> choice.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }
}
