package dev.tributary.cluster.spec;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import com.google.gson.stream.MalformedJsonException;
import dev.tributary.error.TributaryException;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Clusters as JSON: {@code {"ps": ["h:1"], "worker": {"0": "h:2", "3": "h:5"}}}. Read token by
 * token, since a job or task that comes twice must not silently replace the first.
 */
final class ClusterJson {
  private static final String WANTED =
      "wanted something like {\"ps\": [\"host:port\"], \"worker\": {\"3\": \"host:port\"}}";

  /** The place of a syntax error in gson's message, the only part of it that is for our callers. */
  private static final Pattern PLACE = Pattern.compile("at line (\\d+) column (\\d+)");

  private ClusterJson() {}

  static Map<String, Map<Integer, String>> read(String json) {
    try (JsonReader reader = new JsonReader(new StringReader(json))) {
      reader.setStrictness(Strictness.STRICT);
      Map<String, Map<Integer, String>> jobs = new TreeMap<>();
      require(reader, "the cluster", "an object from jobs to tasks", JsonToken.BEGIN_OBJECT);
      reader.beginObject();
      while (reader.hasNext()) {
        String job = reader.nextName();
        if (jobs.put(job, readTasks(job, reader)) != null) {
          throw TributaryException.invalidArgument("job '%s' is defined twice", job);
        }
      }
      reader.endObject();
      if (reader.peek() != JsonToken.END_DOCUMENT) {
        throw malformed("something follows the last '}'");
      }
      return jobs;
    } catch (EOFException e) {
      throw malformed("the JSON text is incomplete");
    } catch (MalformedJsonException e) {
      throw malformed("not valid JSON" + place(e.getMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException(e); // A StringReader does not fail.
    }
  }

  static String write(SortedMap<String, SortedMap<Integer, String>> jobs) {
    StringWriter text = new StringWriter();
    try (JsonWriter writer = new JsonWriter(text)) {
      writer.beginObject();
      for (Map.Entry<String, SortedMap<Integer, String>> job : jobs.entrySet()) {
        writer.name(job.getKey());
        writeTasks(job.getValue(), writer);
      }
      writer.endObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // A StringWriter does not fail.
    }
    return text.toString();
  }

  private static Map<Integer, String> readTasks(String job, JsonReader reader) throws IOException {
    Map<Integer, String> tasks = new TreeMap<>();
    if (reader.peek() == JsonToken.BEGIN_ARRAY) {
      for (String address : readList(job, reader)) {
        tasks.put(tasks.size(), address);
      }
      return tasks;
    }
    require(
        reader,
        "job '" + job + "'",
        "a list of addresses, or an object from task numbers to addresses",
        JsonToken.BEGIN_OBJECT);
    reader.beginObject();
    while (reader.hasNext()) {
      int index = number(job, reader.nextName());
      if (tasks.put(index, readAddress(job, reader)) != null) {
        throw TributaryException.invalidArgument(
            "task %d of job '%s' is defined twice", index, job);
      }
    }
    reader.endObject();
    return tasks;
  }

  private static List<String> readList(String job, JsonReader reader) throws IOException {
    List<String> addresses = new ArrayList<>();
    reader.beginArray();
    while (reader.hasNext()) {
      addresses.add(readAddress(job, reader));
    }
    reader.endArray();
    return addresses;
  }

  private static String readAddress(String job, JsonReader reader) throws IOException {
    require(reader, "a task of job '" + job + "'", "an address, \"host:port\"", JsonToken.STRING);
    return reader.nextString();
  }

  private static void require(JsonReader reader, String where, String what, JsonToken wanted)
      throws IOException {
    JsonToken got = reader.peek();
    if (got != wanted) {
      throw malformed(where + " must be " + what + ", got " + name(got));
    }
  }

  private static String name(JsonToken token) {
    return switch (token) {
      case BEGIN_ARRAY -> "a list";
      case BEGIN_OBJECT -> "an object";
      case STRING, NAME -> "a text";
      case NUMBER -> "a number";
      case BOOLEAN -> "true or false";
      case NULL -> "null";
      case END_ARRAY, END_OBJECT, END_DOCUMENT -> "nothing";
    };
  }

  private static String place(String message) {
    Matcher place = PLACE.matcher(message);
    return place.find() ? " at line " + place.group(1) + ", column " + place.group(2) : "";
  }

  private static int number(String job, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw TributaryException.invalidArgument(
          "job '%s': a task's number must be a whole number, got '%s'", job, text);
    }
  }

  private static void writeTasks(SortedMap<Integer, String> tasks, JsonWriter writer)
      throws IOException {
    boolean dense = tasks.lastKey() == tasks.size() - 1;
    if (dense) {
      writer.beginArray();
      for (String address : tasks.values()) {
        writer.value(address);
      }
      writer.endArray();
      return;
    }
    writer.beginObject();
    for (Map.Entry<Integer, String> task : tasks.entrySet()) {
      writer.name(Integer.toString(task.getKey())).value(task.getValue());
    }
    writer.endObject();
  }

  private static TributaryException malformed(String why) {
    return TributaryException.invalidArgument("malformed cluster: %s; %s", why, WANTED);
  }
}
