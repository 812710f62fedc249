package dev.tributary.app.digits;

import dev.tributary.app.launch.TaskNumber;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The modes of the command, and the options that have an effect in each. */
enum DigitsMode {
  /** Training in this process. */
  ALONE,
  /** Training on a cluster of processes that this one starts. */
  CLUSTER("--workers", "--ps"),
  /** Training as one task of a cluster. */
  TASK("--job_name"),
  EVALUATE("--evaluate"),
  PREDICT("--predict");

  private static final String TASK_INDEX = "--task_index";
  private static final Set<DigitsMode> TRAINING = EnumSet.of(ALONE, CLUSTER, TASK);
  private static final Map<String, Set<DigitsMode>> OPTIONS = options();

  private final List<String> chosenBy;

  DigitsMode(String... chosenBy) {
    this.chosenBy = List.of(chosenBy);
  }

  private static Map<String, Set<DigitsMode>> options() {
    Map<String, Set<DigitsMode>> options = new HashMap<>();
    put(options, EnumSet.allOf(DigitsMode.class), "--logdir", "--backend", "--threads");
    put(options, EnumSet.of(ALONE, CLUSTER, TASK, EVALUATE), "--data");
    put(options, TRAINING, "--epochs", "--batch", "--rate", "--seed", "--save_model_secs");
    put(options, EnumSet.of(CLUSTER, TASK), "--consistency", "--sync", "--issync");
    put(options, EnumSet.of(CLUSTER, TASK), "--tls", "--mutual-tls");
    put(options, EnumSet.of(CLUSTER, TASK), "--token-file", "--admin-token-file");
    put(options, EnumSet.of(ALONE, TASK), "--http-port");
    put(options, EnumSet.of(ALONE, CLUSTER), "--start-over");
    put(options, EnumSet.of(ALONE), "--strategy", "--replicas");
    put(options, EnumSet.of(CLUSTER), "--ps", "--workers", "--restart");
    put(options, EnumSet.of(TASK), "--cluster", "--ps_hosts", "--worker_hosts");
    put(options, EnumSet.of(TASK), "--job_name", TASK_INDEX, "--insecure");
    put(options, EnumSet.of(TASK), "--any-local-user", "--admin-certificate");
    put(options, EnumSet.of(TASK), "--end-with-input");
    put(options, EnumSet.of(EVALUATE), "--evaluate");
    put(options, EnumSet.of(PREDICT), "--predict");
    return options;
  }

  private static void put(
      Map<String, Set<DigitsMode>> options, Set<DigitsMode> modes, String... names) {
    for (String name : names) {
      options.put(name, modes);
    }
  }

  /** Returns the mode that the options choose. Fails if one of them would have no effect. */
  static DigitsMode of(CommandLine command) {
    ParseResult given = command.getParseResult();
    DigitsMode mode =
        List.of(PREDICT, EVALUATE, TASK, CLUSTER).stream()
            .filter(candidate -> candidate.chooser(given).isPresent())
            .findFirst()
            .orElse(ALONE);
    for (OptionSpec option : given.matchedOptions()) {
      if (!modesOf(option).contains(mode)) {
        throw new ParameterException(command, mode.refusal(typed(option, given), option, given));
      }
    }
    return mode;
  }

  /** In which modes an option means something. */
  static Set<DigitsMode> modesOf(OptionSpec option) {
    // Help and version end the command before it asks.
    return OPTIONS.getOrDefault(option.longestName(), EnumSet.noneOf(DigitsMode.class));
  }

  private String refusal(String name, OptionSpec option, ParseResult given) {
    if (this != ALONE) {
      return String.format(
          "%s has no effect together with %s: leave out one of them",
          name, chooser(given).orElseThrow());
    }
    String missing =
        modesOf(option).stream()
            .map(mode -> mode.chosenBy.get(0))
            .collect(Collectors.joining(" or "));
    return String.format(
        "%s has no effect without %s: add it, or leave out %s", name, missing, name);
  }

  /** The option that chose this mode, as it was typed. */
  private Optional<String> chooser(ParseResult given) {
    if (this == TASK && TaskNumber.auto().equals(given.matchedOptionValue(TASK_INDEX, null))) {
      return Optional.of(typed(given.matchedOption(TASK_INDEX), given));
    }
    return chosenBy.stream()
        .filter(given::hasMatchedOption)
        .findFirst()
        .map(name -> typed(given.matchedOption(name), given));
  }

  /** The name that an option was given by. */
  private static String typed(OptionSpec option, ParseResult given) {
    return Arrays.stream(option.names())
        .filter(
            name ->
                given.originalArgs().stream()
                    .anyMatch(word -> word.equals(name) || word.startsWith(name + "=")))
        .findFirst()
        .orElse(option.longestName());
  }
}
