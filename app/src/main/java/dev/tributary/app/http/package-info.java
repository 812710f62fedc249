/**
 * The HTTP port of a task, beside its gRPC port: {@code /livez} and {@code /readyz} for those who
 * watch over processes, {@code /metrics} for Prometheus. Answers hold no secrets, and requests
 * change nothing. Entry type: {@link dev.tributary.app.http.HttpArguments}.
 */
package dev.tributary.app.http;
