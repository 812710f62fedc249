package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.io.FileKernel;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Factories of the kernels that make lookup tables and use them, in either form of handle. */
public final class LookupKernels {
  @FunctionalInterface
  private interface Maker<T extends LookupTable> {
    T make(String name, DataType keyType, DataType valueType, MemoryBudget budget);
  }

  private LookupKernels() {}

  public static Kernel hashTable(KernelNode node, HandleForm form) {
    return maker(node, form, HashTable.class, Shape.scalar(), HashTable::new);
  }

  public static Kernel mutableHashTable(KernelNode node, HandleForm form) {
    return mutable(node, form, Shape.scalar());
  }

  public static Kernel mutableHashTableOfTensors(KernelNode node, HandleForm form) {
    Shape shape = node.attributes().shape("value_shape");
    if (!shape.isFullyDefined() || shape.rank() != 1) {
      throw TributaryException.invalidArgument(
          "value_shape must be that of a vector, got %s", shape);
    }
    return mutable(node, form, shape);
  }

  private static Kernel mutable(KernelNode node, HandleForm form, Shape valueShape) {
    return maker(
        node,
        form,
        MutableHashTable.class,
        valueShape,
        (name, keys, values, budget) ->
            new MutableHashTable(name, keys, values, valueShape, budget));
  }

  public static Kernel find(KernelNode node, HandleForm form) {
    return c -> table(c, form).find(c);
  }

  public static Kernel insert(KernelNode node, HandleForm form) {
    return c -> table(c, form).insert(c.input(1), c.input(2));
  }

  public static Kernel replaceAll(KernelNode node, HandleForm form) {
    return c -> table(c, form).replaceAll(c.input(1), c.input(2));
  }

  public static Kernel export(KernelNode node, HandleForm form) {
    return c -> table(c, form).export(c);
  }

  public static Kernel size(KernelNode node, HandleForm form) {
    return c -> c.setOutput(0, Tensor.scalar(table(c, form).size()));
  }

  public static Kernel initialize(KernelNode node, HandleForm form) {
    return c -> {
      HashTable table = form.lookup(c, HashTable.class);
      Tensor keys = c.input(1);
      Tensor values = c.input(2);
      table.requireTypes(keys.type(), values.type());
      if (keys.rank() != 1 || !keys.shape().equals(values.shape())) {
        throw TributaryException.invalidArgument(
            "Keys and values must be vectors of the same size, got shapes %s and %s",
            keys.shape(), values.shape());
      }
      table.initialize(entries(keys, values));
    };
  }

  public static Kernel initializeFromTextFile(KernelNode node, HandleForm form) {
    VocabularyFile file = VocabularyFile.of(node.attributes());
    return new FileKernel(
        node,
        c -> {
          HashTable table = form.lookup(c, HashTable.class);
          FileRoot files = c.device().files();
          Tensor filename = c.input(1);
          if (filename.elementCount() != 1) {
            throw TributaryException.invalidArgument(
                "filename should be a single string, but got shape %s", filename.shape());
          }
          String name = filename.getString(0);
          return () -> {
            List<HashTable.Entry> entries =
                file.read(files, name, table.keyType(), table.valueType());
            return call -> table.initialize(entries);
          };
        });
  }

  private static <T extends LookupTable> Kernel maker(
      KernelNode node, HandleForm form, Class<T> kind, Shape valueShape, Maker<T> maker) {
    Attributes attributes = node.attributes();
    DataType keyType = attributes.type("key_dtype");
    DataType valueType = attributes.type("value_dtype");
    Elements.requireSupport(keyType);
    Elements.requireSupport(valueType);
    ResourceName name =
        attributes.bool("use_node_name_sharing")
            ? ResourceName.of(node)
            : ResourceName.sharedOrPrivate(node);
    return form.maker(
        node,
        name,
        kind,
        () -> maker.make(name.name(), keyType, valueType, node.device().allocator().budget()),
        table -> table.requireFits(keyType, valueType, valueShape));
  }

  private static List<HashTable.Entry> entries(Tensor keys, Tensor values) {
    int count = ArrayLength.of(keys.elementCount());
    List<HashTable.Entry> entries = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      entries.add(new HashTable.Entry(Elements.get(keys, i), Elements.get(values, i)));
    }
    return entries;
  }

  private static LookupTable table(KernelContext context, HandleForm form) {
    return form.lookup(context, LookupTable.class);
  }
}
