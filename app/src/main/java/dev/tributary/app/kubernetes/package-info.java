/**
 * The {@code kubernetes} command, which prints manifests that run a program as all tasks of a
 * cluster. Pods learn their task from {@code TF_CONFIG}. Entry type: {@link
 * dev.tributary.app.kubernetes.KubernetesCommand}.
 */
package dev.tributary.app.kubernetes;
