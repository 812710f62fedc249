/**
 * JMH benchmarks of the claims about single parts: kernels through a session beside the backend
 * alone, the executor, the allocator. {@code bench/jmh} runs them; nothing does so in the build.
 */
package dev.tributary.bench.jmh;
