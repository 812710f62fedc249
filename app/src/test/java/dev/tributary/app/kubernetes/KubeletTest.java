package dev.tributary.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.tributary.app.CommandOutcome;
import dev.tributary.security.JobToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The containers of printed manifests, run as processes: they train together to the end. */
@Tag("processes")
@Tag("slow")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class KubeletTest {
  @TempDir Path folder;

  @Test
  void estimator_podsKilled_areStartedAgainAndTrainToTheEnd() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    Path secret = Files.createDirectory(folder.resolve("token"));
    JobToken.of("0123456789abcdef").write(secret.resolve("token"));
    Map<String, String> mounts =
        Map.of("/models", models.toString(), "/etc/tributary/token", secret.toString());
    List<JsonObject> manifests =
        manifests(
            "--name=census",
            "--ps=1",
            "--workers=2",
            "--evaluator",
            "--",
            "census",
            "--token-file=/etc/tributary/token/token",
            "--logdir=/models/run",
            "--epochs=60");
    try (Kubelet kubelet = new Kubelet(manifests, mounts, folder)) {
      kubelet.start();
      kubelet.pod("census-chief-0").awaitLine("loss =");

      kubelet.kill("census-worker-0");
      kubelet.kill("census-ps-0");

      for (String pod :
          List.of("census-chief-0", "census-worker-0", "census-evaluator-0", "census-ps-0")) {
        assertThat(kubelet.ended(pod)).as(pod + " starts again").isFalse();
        kubelet.pod(pod).awaitSuccess();
      }
      assertThat(String.join("\n", kubelet.pod("census-evaluator-0").lines()))
          .containsPattern("after 1,8[0-9]{2} steps: test accuracy 8[2-9]");
    }
  }

  @Test
  void training_configurationThatIsRefused_isNotStartedAgain() throws Exception {
    try (Kubelet kubelet = new Kubelet(digits(), Map.of(), folder)) {
      kubelet.start();

      for (String pod : List.of("digits-worker-0", "digits-worker-1")) {
        assertThat(kubelet.ended(pod)).as(pod + " starts again").isFalse();
        assertThat(String.join("\n", kubelet.pod(pod).lines()))
            .contains("/etc/tributary/token/token");
      }
    }
  }

  private static List<JsonObject> digits() {
    return manifests(
        "--name=digits",
        "--ps=1",
        "--workers=2",
        "--no-chief",
        "--",
        "digits",
        "--task=auto",
        "--token-file=/etc/tributary/token/token",
        "--logdir=/models/run");
  }

  private static List<JsonObject> manifests(String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "kubernetes",
                "--image=image",
                "--memory=1Gi",
                "--token-secret=token",
                "--volume=models:/models"));
    command.addAll(List.of(options));
    CommandOutcome outcome = CommandOutcome.of(command.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return SampleManifests.documents(outcome.out());
  }
}
