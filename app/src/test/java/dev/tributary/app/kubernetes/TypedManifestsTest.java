package dev.tributary.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobTemplateSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Service;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All documents have the fields of Kubernetes' types, and no others. */
class TypedManifestsTest {
  private static final Set<String> JOB_SET_FIELDS =
      Set.of("network", "successPolicy", "failurePolicy", "replicatedJobs");

  @BeforeAll
  static void loadTypes() {
    // Fills in what the generated checks look at.
    assertThat(new JSON()).isNotNull();
  }

  @ParameterizedTest
  @EnumSource(SampleManifests.class)
  void documents_ofEachSample_areValid(SampleManifests sample) throws Exception {
    assertThat(sample.documents()).isNotEmpty();
    for (JsonObject document : sample.documents()) {
      validate(document);
    }
  }

  @Test
  void validate_unknownField_isFound() {
    JsonObject job = SampleManifests.PLAIN.documents().get(1);
    job.getAsJsonObject("spec").addProperty("backoffLimits", 3);

    assertThatThrownBy(() -> validate(job)).hasMessageContaining("backoffLimits");
  }

  private static void validate(JsonObject document) throws IOException {
    String kind = document.get("kind").getAsString();
    String version = document.get("apiVersion").getAsString();
    switch (version + "/" + kind) {
      case "v1/Service" -> V1Service.validateJsonElement(document);
      case "batch/v1/Job" -> {
        V1Job.validateJsonElement(document);
        validateTypes(document.getAsJsonObject("spec"));
      }
      case "policy/v1/PodDisruptionBudget" -> V1PodDisruptionBudget.validateJsonElement(document);
      case "jobset.x-k8s.io/v1alpha2/JobSet" -> validateJobSet(document);
      case "monitoring.coreos.com/v1/PodMonitor" -> {
        V1ObjectMeta.validateJsonElement(document.get("metadata"));
        assertThat(document.getAsJsonObject("spec").keySet())
            .containsExactlyInAnyOrder("selector", "podMetricsEndpoints");
      }
      default -> throw new AssertionError("unknown document " + version + "/" + kind);
    }
  }

  private static void validateJobSet(JsonObject document) throws IOException {
    V1ObjectMeta.validateJsonElement(document.get("metadata"));
    JsonObject spec = document.getAsJsonObject("spec");
    assertThat(spec.keySet()).isSubsetOf(JOB_SET_FIELDS);
    assertThat(spec.getAsJsonObject("successPolicy").keySet())
        .containsExactlyInAnyOrder("operator", "targetReplicatedJobs");
    assertThat(spec.getAsJsonObject("network").keySet())
        .containsExactlyInAnyOrder("enableDNSHostnames", "publishNotReadyAddresses", "subdomain");
    for (JsonElement replicated : spec.getAsJsonArray("replicatedJobs")) {
      JsonObject job = replicated.getAsJsonObject();
      assertThat(job.keySet()).containsExactlyInAnyOrder("name", "replicas", "template");
      V1JobTemplateSpec.validateJsonElement(job.get("template"));
      validateTypes(job.getAsJsonObject("template").getAsJsonObject("spec"));
    }
  }

  /** The typed API looks at names only: here are the types and the values that it leaves out. */
  private static void validateTypes(JsonObject job) {
    for (String number : Set.of("completions", "parallelism")) {
      assertThat(job.get(number).getAsJsonPrimitive().isNumber()).as(number).isTrue();
    }
    assertThat(job.get("completionMode").getAsString()).isEqualTo("Indexed");
    assertThat(job.get("podReplacementPolicy").getAsString()).isEqualTo("Failed");
    JsonObject pod = job.getAsJsonObject("template").getAsJsonObject("spec");
    boolean isRestartedInPlace = pod.get("restartPolicy").getAsString().equals("OnFailure");
    // Kubernetes refuses these together.
    assertThat(job.has("podFailurePolicy")).isNotEqualTo(isRestartedInPlace);
    assertThat(job.has("backoffLimitPerIndex") && isRestartedInPlace).isFalse();
    for (JsonElement container : pod.getAsJsonArray("containers")) {
      for (JsonElement variable : container.getAsJsonObject().getAsJsonArray("env")) {
        JsonElement value = variable.getAsJsonObject().get("value");
        assertThat(value == null || value.getAsJsonPrimitive().isString()).isTrue();
      }
      for (JsonElement argument : arguments(container.getAsJsonObject())) {
        assertThat(argument.getAsJsonPrimitive().isString()).isTrue();
      }
    }
  }

  private static Iterable<JsonElement> arguments(JsonObject container) {
    return container.has("args") ? container.getAsJsonArray("args") : Set.of();
  }
}
