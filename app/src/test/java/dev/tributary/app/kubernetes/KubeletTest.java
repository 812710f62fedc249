package dev.tributary.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.tributary.app.CommandOutcome;
import dev.tributary.security.JobToken;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The containers of printed manifests, run as processes: they train together to the end. */
@Tag("processes")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class KubeletTest {
  @TempDir Path folder;

  @Test
  void training_podsKilled_areStartedAgainAndTrainToTheEnd() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    Path secret = Files.createDirectory(folder.resolve("token"));
    JobToken.of("0123456789abcdef").write(secret.resolve("token"));
    Map<String, String> mounts =
        Map.of("/models", models.toString(), "/etc/tributary/token", secret.toString());
    try (Kubelet kubelet = new Kubelet(manifests(), mounts, folder)) {
      kubelet.start();
      kubelet.pod("digits-worker-0").awaitLine("validation accuracy");

      kubelet.kill("digits-worker-1");
      kubelet.kill("digits-ps-0");

      for (String pod : List.of("digits-worker-0", "digits-worker-1", "digits-ps-0")) {
        assertThat(kubelet.ended(pod)).as(pod + " starts again").isFalse();
        assertThat(kubelet.pod(pod).awaitSuccess())
            .anyMatch(line -> line.contains("says TF_CONFIG"));
      }
      assertThat(String.join("\n", kubelet.pod("digits-worker-0").lines()))
          .containsPattern("test accuracy 9[5-9]");
    }
  }

  @Test
  void training_configurationThatIsRefused_isNotStartedAgain() throws Exception {
    try (Kubelet kubelet = new Kubelet(manifests(), Map.of(), folder)) {
      kubelet.start();

      for (String pod : List.of("digits-worker-0", "digits-worker-1")) {
        assertThat(kubelet.ended(pod)).as(pod + " starts again").isFalse();
        assertThat(String.join("\n", kubelet.pod(pod).lines()))
            .contains("/etc/tributary/token/token");
      }
    }
  }

  private static List<JsonObject> manifests() {
    CommandOutcome outcome =
        CommandOutcome.of(
            "kubernetes",
            "--name=digits",
            "--image=image",
            "--ps=1",
            "--workers=2",
            "--no-chief",
            "--memory=1Gi",
            "--token-secret=digits-token",
            "--volume=models:/models",
            "--",
            "digits",
            "--task=auto",
            "--token-file=/etc/tributary/token/token",
            "--logdir=/models/run",
            "--save_model_secs=1",
            "--threads=1",
            "--epochs=30");
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return SampleManifests.documents(outcome.out());
  }
}
