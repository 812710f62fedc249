package dev.tributary.bench;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** What a command line leaves behind. */
public record CommandOutput(int exitCode, String text, String errors) {
  public static CommandOutput of(CommandLine command, String... arguments) {
    StringWriter text = new StringWriter();
    StringWriter errors = new StringWriter();
    int code =
        command.setOut(new PrintWriter(text)).setErr(new PrintWriter(errors)).execute(arguments);
    return new CommandOutput(code, text.toString(), errors.toString());
  }
}
