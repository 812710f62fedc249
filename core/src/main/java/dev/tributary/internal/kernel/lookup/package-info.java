/**
 * Lookup tables from keys to values: tables that are filled once, from tensors or a text file, and
 * tables that steps change. They are resources of their device. Entry type for op declarations:
 * {@link dev.tributary.internal.kernel.lookup.LookupKernels}.
 */
package dev.tributary.internal.kernel.lookup;
