package dev.tributary.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The printed manifests, which golden files hold. {@code mvn test -Dtest=KubernetesCommandTest
 * -Dtributary.golden.write=true} writes the files.
 */
class KubernetesCommandTest {
  private static final Path GOLDEN = Path.of("src/test/resources/dev/tributary/app/kubernetes");

  @ParameterizedTest
  @MethodSource("manifests")
  void kubernetes_manifests_areThoseOfTheGoldenFile(SampleManifests sample) throws Exception {
    Path file = GOLDEN.resolve(sample.fileName());
    if (Boolean.getBoolean("tributary.golden.write")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(file, sample.print());
    }

    assertThat(sample.print()).isEqualTo(Files.readString(file));
  }

  static Stream<SampleManifests> manifests() {
    return Stream.of(SampleManifests.values());
  }

  @Test
  void kubernetes_tasksOfAJob_differInTheirIndexOnly() {
    String text = SampleManifests.PLAIN.print();

    assertThat(text.lines().filter(line -> line.contains("\"index\":")))
        .isNotEmpty()
        .allMatch(line -> line.contains("\"index\":$(TASK_INDEX)}}"));
    assertThat(text.lines().map(line -> line.replaceAll("\"task\".*", "")).distinct())
        .filteredOn(line -> line.contains("\"cluster\":"))
        .hasSize(1);
  }

  @Test
  void kubernetes_output_isWrittenWithAKustomization(@TempDir Path folder) throws Exception {
    List<String> command = new ArrayList<>(SampleManifests.PLAIN.command());
    command.add(1, "--output=" + folder);

    CommandOutcome outcome = CommandOutcome.of(command.toArray(String[]::new));

    assertThat(outcome.out()).contains("kubectl apply -k " + folder);
    assertThat(Files.readString(folder.resolve("census.yaml")))
        .isEqualTo(SampleManifests.PLAIN.print());
    assertThat(Files.readString(folder.resolve("kustomization.yaml")))
        .contains("kind: Kustomization", "- census.yaml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --name=Census                     | --name must be
          --name=a_b                        | --name must be
          --name=                           | --name must be
          --image=                          | --image is empty
          --memory=8                        | --memory: 8 leaves nothing for tensors
          --memory=8X                       | --memory: '8X' is not an amount
          --memory=9999999999Ti             | --memory: 9999999999Ti is too much
          --ps-memory=100Mi                 | --ps-memory: 100Mi leaves nothing
          --cpu=0                           | --cpu must be
          --workers=0                       | give --workers or --ps
          --workers=-1                      | --workers must be
          --port=0                          | --port must be
          --http-port=2222                  | --port and --http-port are the same
          --pod-monitor                     | --pod-monitor needs --http-port
          --keep-ps-nodes                   | --keep-ps-nodes has no effect without --ps
          --volume=data                     | --volume must be
          --volume=data:relative            | --volume must be
          --grace=0                         | --grace must be
          """)
  void kubernetes_wrongOptions_areRefused(String option, String message) {
    List<String> command = new ArrayList<>(List.of("kubernetes"));
    for (String given : List.of("--name=census", "--image=image")) {
      if (!option.startsWith(given.substring(0, given.indexOf('=')))) {
        command.add(given);
      }
    }
    command.add(option);

    CommandOutcome outcome = CommandOutcome.of(command.toArray(String[]::new));

    assertThat(outcome.err()).contains(message);
    assertThat(outcome.exitCode()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "1Gi, 256, 512",
    "2Gi, 409, 1382",
    "8Gi, 1638, 5734",
    "64Gi, 2048, 56934",
  })
  void resources_ofMemory_areHeapAndTensors(String memory, long heap, long tensors) {
    Resources resources = new Resources(1, Quantity.parse("--memory", memory));

    assertThat(resources.environment()).containsEntry("JAVA_TOOL_OPTIONS", "-Xmx" + heap + "m");
    assertThat(resources.tensorBytes() >> 20).isEqualTo(tensors);
  }
}
