package dev.tributary.app.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An API server takes the manifests, and has them afterwards as they were meant. */
@Timeout(60)
class AppliedManifestsTest {
  private KubernetesMockServer server;
  private KubernetesClient client;

  @BeforeEach
  void start() {
    server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            false);
    server.init();
    client = server.createClient();
  }

  @AfterEach
  void stop() {
    client.close();
    server.destroy();
  }

  @Test
  void create_plainManifests_makesServiceAndJobs() {
    apply(SampleManifests.PLAIN);

    Service service = client.services().withName("census").get();
    assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
    assertThat(service.getSpec().getPublishNotReadyAddresses()).isTrue();
    List<Job> jobs = client.batch().v1().jobs().list().getItems();
    assertThat(jobs)
        .extracting(job -> job.getMetadata().getName())
        .containsExactlyInAnyOrder(
            "census-ps", "census-chief", "census-worker", "census-evaluator");
    for (Job job : jobs) {
      assertThat(job.getSpec().getAdditionalProperties()).isEmpty();
      assertThat(job.getSpec().getTemplate().getSpec().getAdditionalProperties()).isEmpty();
      assertThat(job.getSpec().getTemplate().getMetadata().getLabels())
          .containsAllEntriesOf(service.getSpec().getSelector());
      assertThat(job.getSpec().getTemplate().getSpec().getSubdomain())
          .isEqualTo(service.getMetadata().getName());
    }
    Job worker = client.batch().v1().jobs().withName("census-worker").get();
    assertThat(worker.getSpec().getCompletions()).isEqualTo(3);
    assertThat(
            worker.getSpec().getPodFailurePolicy().getRules().get(1).getOnExitCodes().getValues())
        .containsExactly(2, 78);
  }

  @Test
  void delete_byLabel_leavesNothing() {
    apply(SampleManifests.PLAIN);

    client.batch().v1().jobs().withLabel("app.kubernetes.io/name", "census").delete();
    client.services().withLabel("app.kubernetes.io/name", "census").delete();

    assertThat(client.batch().v1().jobs().list().getItems()).isEmpty();
    assertThat(client.services().list().getItems()).isEmpty();
  }

  @Test
  void create_jobSet_makesIt() {
    server.expectCustomResource(
        new CustomResourceDefinitionContext.Builder()
            .withGroup("jobset.x-k8s.io")
            .withVersion("v1alpha2")
            .withKind("JobSet")
            .withPlural("jobsets")
            .withScope("Namespaced")
            .build());

    apply(SampleManifests.JOB_SET);

    assertThat(
            client
                .genericKubernetesResources("jobset.x-k8s.io/v1alpha2", "JobSet")
                .list()
                .getItems())
        .singleElement()
        .satisfies(set -> assertThat(set.getMetadata().getName()).isEqualTo("census"));
  }

  private void apply(SampleManifests sample) {
    byte[] text = sample.print().getBytes(StandardCharsets.UTF_8);
    List<HasMetadata> created = client.load(new ByteArrayInputStream(text)).create();
    assertThat(created).hasSameSizeAs(sample.documents());
  }
}
