/**
 * Native memory, and how much of it may be in use: the pooled allocator, blocks with a count of
 * their references, access to raw addresses, and budgets. Entry types: {@link
 * dev.tributary.internal.memory.Allocator}, {@link dev.tributary.internal.memory.Memory} and {@link
 * dev.tributary.internal.memory.MemoryBudget}, which counts what a task or session holds; a {@link
 * dev.tributary.internal.memory.MemoryAccount} is the part of one kind of use, and {@link
 * dev.tributary.internal.memory.MachineMemory} knows how much there is. Imports errors only;
 * tensors and kernels depend on it.
 */
package dev.tributary.internal.memory;
