/**
 * Processes that are tasks of a cluster: how a command line tells which one, and clusters of
 * separate processes on this machine, which end with the process that started them. Entry type:
 * {@link dev.tributary.app.launch.TaskProcesses}.
 */
package dev.tributary.app.launch;
