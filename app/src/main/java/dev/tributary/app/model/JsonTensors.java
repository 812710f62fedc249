package dev.tributary.app.model;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.savedmodel.Signature;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tensors as JSON: nested arrays, and single values for scalars. Strings that are not text are
 * {@code {"b64": "..."}}, as in TF Serving.
 */
final class JsonTensors {
  private static final String BASE64 = "b64";
  private static final int MOST_DIMENSIONS = 32;

  private JsonTensors() {}

  // ---- reading ----

  static void read(
      byte[] content, Signature signature, Optional<String> input, Map<String, Tensor> values) {
    String text = new String(content, StandardCharsets.UTF_8);
    if (text.isBlank()) {
      throw TributaryException.invalidArgument("the file is empty");
    }
    JsonElement json;
    try {
      json = JsonParser.parseString(text);
    } catch (JsonParseException | StackOverflowError e) {
      // At the end of a file the message is the name of another exception.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw TributaryException.invalidArgument("it is not JSON: %s", reason.getMessage());
    }
    if (input.isEmpty() && json.isJsonObject() && !isBytes(json)) {
      requireEachOnce(text);
      for (Map.Entry<String, JsonElement> entry : json.getAsJsonObject().entrySet()) {
        InputFile.requireInput(signature, entry.getKey());
        read(entry.getValue(), signature, entry.getKey(), values);
      }
    } else {
      read(json, signature, input.orElseGet(() -> InputFile.onlyInput(signature)), values);
    }
  }

  /** The parser keeps the last of several values of one name. */
  private static void requireEachOnce(String object) {
    Set<String> names = new HashSet<>();
    try (JsonReader reader = new JsonReader(new StringReader(object))) {
      reader.setStrictness(Strictness.LENIENT);
      reader.beginObject();
      while (reader.hasNext()) {
        String name = reader.nextName();
        if (!names.add(name)) {
          throw TributaryException.invalidArgument("input '%s' is given twice", name);
        }
        reader.skipValue();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void read(
      JsonElement json, Signature signature, String name, Map<String, Tensor> values) {
    try {
      List<byte[]> elements = new ArrayList<>();
      Shape shape = shape(json);
      collect(json, shape, 0, elements);
      InputFile.put(
          values, name, Elements.parse(signature.inputs().get(name).type(), shape, elements));
    } catch (TributaryException e) {
      throw e.at("input '" + name + "'");
    }
  }

  private static Shape shape(JsonElement json) {
    List<Long> sizes = new ArrayList<>();
    JsonElement at = json;
    while (at.isJsonArray()) {
      JsonArray array = at.getAsJsonArray();
      sizes.add((long) array.size());
      if (array.isEmpty()) {
        break;
      }
      if (sizes.size() > MOST_DIMENSIONS) {
        throw TributaryException.invalidArgument("arrays are more than %d deep", MOST_DIMENSIONS);
      }
      at = array.get(0);
    }
    return Shape.of(sizes.stream().mapToLong(Long::longValue).toArray());
  }

  private static void collect(JsonElement json, Shape shape, int depth, List<byte[]> elements) {
    if (depth == shape.rank()) {
      elements.add(element(json));
      return;
    }
    if (!json.isJsonArray() || json.getAsJsonArray().size() != shape.size(depth)) {
      throw TributaryException.invalidArgument(
          "its arrays differ in length: the first ones make it %s", shape);
    }
    json.getAsJsonArray().forEach(inner -> collect(inner, shape, depth + 1, elements));
  }

  private static byte[] element(JsonElement json) {
    if (json.isJsonPrimitive()) {
      return json.getAsString().getBytes(StandardCharsets.UTF_8);
    }
    if (isBytes(json)) {
      try {
        return Base64.getDecoder().decode(json.getAsJsonObject().get(BASE64).getAsString());
      } catch (IllegalArgumentException e) {
        throw TributaryException.invalidArgument("%s is not base64: %s", json, e.getMessage());
      }
    }
    throw TributaryException.invalidArgument(
        "wanted a number, string or truth value, got %s", json);
  }

  private static boolean isBytes(JsonElement json) {
    return json.isJsonObject()
        && json.getAsJsonObject().size() == 1
        && isText(json.getAsJsonObject());
  }

  private static boolean isText(JsonObject object) {
    return object.has(BASE64) && object.get(BASE64).isJsonPrimitive();
  }

  // ---- writing ----

  /** Writes an object with a line for each tensor. */
  static void write(Map<String, Tensor> tensors, PrintWriter out) {
    List<String> lines = new ArrayList<>();
    tensors.forEach((name, tensor) -> lines.add("  " + quoted(name) + ": " + text(tensor)));
    out.println("{");
    out.println(String.join("," + System.lineSeparator(), lines));
    out.println("}");
  }

  private static String quoted(String name) {
    return new JsonPrimitive(name).toString();
  }

  private static String text(Tensor tensor) {
    StringWriter text = new StringWriter();
    try (JsonWriter json = new JsonWriter(text)) {
      // TF Serving writes NaN and Infinity, too, for which JSON has no word.
      json.setStrictness(Strictness.LENIENT);
      try (Tensor readable = readable(tensor)) {
        write(readable, 0, 0, readable.elementCount(), json);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /** Numbers as one of four types; a complex one is a row of its two parts. */
  private static Tensor readable(Tensor tensor) {
    return switch (tensor.type()) {
      case STRING, BOOL, FLOAT, DOUBLE -> tensor.retain();
      case COMPLEX64, COMPLEX128 ->
          tensor.bitcast(tensor.type().realType(), tensor.shape().concatenate(Shape.of(2)));
      default -> Elements.cast(tensor, tensor.type().isInteger() ? DataType.INT64 : DataType.FLOAT);
    };
  }

  private static void write(Tensor tensor, int depth, long from, long count, JsonWriter json)
      throws IOException {
    if (depth == tensor.rank()) {
      writeElement(tensor, from, json);
      return;
    }
    json.beginArray();
    long size = tensor.shape().size(depth);
    for (long i = 0; i < size; i++) {
      write(tensor, depth + 1, from + i * (count / size), count / size, json);
    }
    json.endArray();
  }

  private static void writeElement(Tensor tensor, long i, JsonWriter json) throws IOException {
    switch (tensor.type()) {
      case FLOAT -> json.value(tensor.getFloat(i));
      case DOUBLE -> json.value(tensor.getDouble(i));
      case BOOL -> json.value(tensor.getBoolean(i));
      case STRING -> writeString((byte[]) tensor.objects()[(int) i], json);
      default -> json.value(tensor.getLong(i));
    }
  }

  private static void writeString(byte[] bytes, JsonWriter json) throws IOException {
    try {
      json.value(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      json.beginObject();
      json.name(BASE64).value(Base64.getEncoder().encodeToString(bytes));
      json.endObject();
    }
  }
}
