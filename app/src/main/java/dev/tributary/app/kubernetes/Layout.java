package dev.tributary.app.kubernetes;

import dev.tributary.cluster.spec.TaskName;

/** The objects that make pods, the host names that these get from them, and their numbers. */
enum Layout {
  /** An Indexed Job for each job of the cluster, and a Service. */
  JOBS("batch.kubernetes.io/job-completion-index") {
    @Override
    String host(String name, TaskName task) {
      return name + "-" + task.job() + "-" + task.index();
    }
  },
  /** A JobSet, which has a Job of one pod for each task. */
  JOB_SET("jobset.sigs.k8s.io/job-index") {
    @Override
    String host(String name, TaskName task) {
      return name + "-" + task.job() + "-" + task.index() + "-0";
    }
  };

  private final String annotation;

  Layout(String annotation) {
    this.annotation = annotation;
  }

  /** The host name of the pod of a task. */
  abstract String host(String name, TaskName task);

  /** The field of a pod that is the number of its task. */
  String indexField() {
    return "metadata.annotations['" + annotation + "']";
  }
}
