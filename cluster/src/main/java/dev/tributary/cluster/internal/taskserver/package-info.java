/** Servers for programs that see core only, which finds them with a service loader. */
package dev.tributary.cluster.internal.taskserver;
