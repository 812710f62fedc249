package dev.tributary.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import dev.tributary.app.CommandOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Command lines whose manifests the tests look at. */
enum SampleManifests {
  /** As little as can be said. */
  PLAIN("--ps=2", "--workers=4", "--evaluator"),
  /** All that can be said. */
  SECURE(
      "--ps=1",
      "--workers=2",
      "--no-chief",
      "--http-port=8080",
      "--mutual-tls-secret=census-tls",
      "--token-secret=census-token",
      "--volume=models:/models",
      "--volume=data:/data",
      "--ps-cpu=2",
      "--ps-memory=4Gi",
      "--memory=16Gi",
      "--restart=3",
      "--grace=90",
      "--keep-ps-nodes",
      "--pod-monitor",
      "--",
      "server",
      "--task",
      "auto",
      "--until-done",
      "--http-port",
      "0.0.0.0:8080",
      "--mutual-tls",
      "/etc/tributary/tls",
      "--token-file",
      "/etc/tributary/token/token"),
  /** The other layout. */
  JOB_SET(
      "--jobset",
      "--ps=2",
      "--workers=3",
      "--evaluator",
      "--http-port=8080",
      "--",
      "census",
      "all");

  private final List<String> options;

  SampleManifests(String... options) {
    this.options = List.of(options);
  }

  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".yaml";
  }

  List<String> command() {
    List<String> command =
        new ArrayList<>(
            List.of("kubernetes", "--name=census", "--image=registry.example/census:1"));
    command.addAll(options);
    return command;
  }

  String print() {
    CommandOutcome outcome = CommandOutcome.of(command().toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out();
  }

  /** The documents as Kubernetes would read them. */
  List<JsonObject> documents() {
    return documents(print());
  }

  static List<JsonObject> documents(String text) {
    List<JsonObject> documents = new ArrayList<>();
    Gson gson = new Gson();
    for (Object document : new org.yaml.snakeyaml.Yaml().loadAll(text)) {
      documents.add(gson.toJsonTree(document).getAsJsonObject());
    }
    return documents;
  }
}
