package dev.tributary.session;

/** Starts tasks in this process. {@link TaskServer#start} finds it with a service loader. */
public interface TaskServerFactory {
  TaskServer start(TaskServerOptions options);
}
