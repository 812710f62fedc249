package dev.tributary.app;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Layout of the help pages: a short synopsis, then the options in the order of their declaration,
 * those of a mixin under the mixin's own heading ({@code optionListHeading}).
 */
final class HelpPages {
  private static final String OWN_OPTIONS = "Options:";
  private static final String STANDARD_OPTIONS = "Other options:";
  private static final Comparator<OptionSpec> AS_DECLARED = null; // picocli's word for "unsorted".

  private HelpPages() {}

  static void applyTo(CommandLine command) {
    command
        .getCommandSpec()
        .usageMessage()
        .abbreviateSynopsis(true)
        .sortOptions(false)
        .parameterListHeading("%nArguments:%n");
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST_HEADING, help -> "");
    command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpPages::options);
    command.getSubcommands().values().forEach(HelpPages::applyTo);
  }

  private static String options(Help help) {
    List<OptionSpec> all =
        help.commandSpec().options().stream().filter(option -> !option.hidden()).toList();
    StringBuilder text = new StringBuilder();
    groups(help.commandSpec(), all)
        .forEach(
            (heading, options) -> {
              Help.Layout layout =
                  help.createDefaultLayout(
                      all, help.commandSpec().positionalParameters(), help.colorScheme());
              text.append(String.format("%n%s%n", heading))
                  .append(
                      help.optionListExcludingGroups(
                          options, layout, AS_DECLARED, help.parameterLabelRenderer()));
            });
    return text.toString();
  }

  /** Options by heading; those that every command has come last. */
  private static Map<String, List<OptionSpec>> groups(CommandSpec command, List<OptionSpec> all) {
    Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
    for (OptionSpec option : all) {
      if (!isStandard(option)) {
        groups.computeIfAbsent(heading(command, option), h -> new ArrayList<>()).add(option);
      }
    }
    List<String> headings = List.copyOf(groups.keySet());
    boolean ownAreLast =
        headings.isEmpty() || headings.get(headings.size() - 1).equals(OWN_OPTIONS);
    groups
        .computeIfAbsent(ownAreLast ? OWN_OPTIONS : STANDARD_OPTIONS, h -> new ArrayList<>())
        .addAll(all.stream().filter(HelpPages::isStandard).toList());
    return groups;
  }

  private static String heading(CommandSpec command, OptionSpec option) {
    return command.mixins().values().stream()
        .filter(mixin -> mixin.options().contains(option))
        .map(mixin -> String.format(mixin.usageMessage().optionListHeading()).strip())
        .filter(heading -> !heading.isEmpty())
        .findFirst()
        .orElse(OWN_OPTIONS);
  }

  private static boolean isStandard(OptionSpec option) {
    return option.usageHelp() || option.versionHelp();
  }
}
