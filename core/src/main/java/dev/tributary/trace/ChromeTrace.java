package dev.tributary.trace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A step's trace in the JSON form that {@code chrome://tracing} and Perfetto open: a process for
 * each device, a row for each thread, a bar for each run of a node. Immutable.
 */
public final class ChromeTrace {
  private final StepTrace trace;

  public ChromeTrace(StepTrace trace) {
    this.trace = trace;
  }

  public void write(Path file) {
    try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      writer.write(toJson());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the trace to " + file, e);
    }
  }

  public String toJson() {
    Map<String, Integer> devices = new LinkedHashMap<>();
    Map<String, Integer> threads = new LinkedHashMap<>();
    for (StepTrace.NodeTrace node : trace.nodes()) {
      devices.putIfAbsent(node.device(), devices.size());
      threads.putIfAbsent(node.thread(), threads.size());
    }
    List<String> events = new ArrayList<>();
    devices.forEach(
        (device, process) -> {
          events.add(label("process_name", process, 0, device));
          threads.forEach((thread, row) -> events.add(label("thread_name", process, row, thread)));
        });
    for (StepTrace.NodeTrace node : trace.nodes()) {
      events.add(bar(node, devices.get(node.device()), threads.get(node.thread())));
    }
    return "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
        + String.join(",\n", events)
        + "\n]}\n";
  }

  private static String label(String kind, int process, int row, String text) {
    return String.format(
        Locale.ROOT,
        "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"args\":{\"name\":%s}}",
        kind,
        process,
        row,
        quoted(text));
  }

  private static String bar(StepTrace.NodeTrace node, int process, int row) {
    return String.format(
        Locale.ROOT,
        "{\"ph\":\"X\",\"cat\":\"op\",\"name\":%s,\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
            + "\"args\":{\"node\":%s,\"waited_us\":%.3f,\"output_bytes\":%d}}",
        quoted(node.op()),
        process,
        row,
        node.startNanos() / 1e3,
        (node.endNanos() - node.startNanos()) / 1e3,
        quoted(node.name()),
        (node.startNanos() - node.readyNanos()) / 1e3,
        node.outputBytes());
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || Character.isSurrogate(c)) {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
