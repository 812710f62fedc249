/**
 * Checkpoints of TensorFlow's second version, which it calls tensor bundles, and the {@code
 * checkpoint} file that lists them.
 *
 * <p>A checkpoint of prefix P is {@code P.index} and one {@code P.data-SSSSS-of-NNNNN} for each of
 * N shards. A shard holds the elements of tensors, one after the other, little-endian and
 * row-major. A string tensor is there as: the lengths of its elements (varint), a u32 masked
 * CRC-32C of the lengths (each as a u32), all bytes.
 *
 * <p>The index is a sorted table as LevelDB writes it; we never compress it:
 *
 * <pre>
 *   block*           data blocks of about 256 KiB
 *   block            an empty one, LevelDB's place for filters
 *   block            index: for each data block a key not below its last one, and its place
 *   40 bytes         the places of the last two, filled up with zeros
 *   u64              0xdb4775248b80fb57
 *
 *   block  = entry*, u32 offset of each 16th entry (each one in the index), u32 their number,
 *            u8 compression (0, in old files 1 for Snappy), u32 masked CRC-32C of all before
 *   entry  = varint bytes shared with the key before, varint rest of the key, varint size of the
 *            value, rest of the key, value
 *   place  = varint offset, varint size without the last five bytes
 * </pre>
 *
 * <p>The empty key holds a BundleHeaderProto, the name of each tensor a BundleEntryProto. A tensor
 * saved in slices has an entry that only lists them, and one more for each slice, whose key is made
 * by {@link dev.tributary.internal.bundle.OrderedCode}.
 *
 * <p>While a checkpoint is written, its files have a suffix {@code .tempstate-} and 16 hexadecimal
 * digits, and are locked. A sharded save collects the parts of all tasks in a folder {@code
 * P_temp}. {@code P.replaced} is the checkpoint that a new one of the same name is replacing.
 *
 * <p>Checkpoints of the first version have a form of their own: see {@code V1Checkpoint}.
 *
 * <p>Entry types: {@link dev.tributary.internal.bundle.BundleReader}, {@link
 * dev.tributary.internal.bundle.BundleWriter}, {@link dev.tributary.internal.bundle.BundleMerge},
 * {@link dev.tributary.internal.bundle.CheckpointState}, and {@link
 * dev.tributary.internal.bundle.CheckpointFolder} for all checkpoints of a folder and their
 * condition. {@link dev.tributary.internal.bundle.CachedElements} and {@link
 * dev.tributary.internal.bundle.StoredElements} are the files of datasets. Uses records and
 * tensors; kernels use it.
 */
package dev.tributary.internal.bundle;
