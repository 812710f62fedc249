package dev.tributary.internal.kernel.lookup;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.ResourceHandle;
import dev.tributary.internal.kernel.flow.StepResources;
import dev.tributary.internal.kernel.io.FileKernel;
import dev.tributary.internal.kernel.resource.HandleForm;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.internal.memory.MemoryBudget;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Factories of the kernels that make lookup tables and use them, in either form of handle. */
public final class LookupKernels {
  @FunctionalInterface
  private interface Maker<T extends LookupTable> {
    T make(
        KernelContext call, String name, DataType keyType, DataType valueType, MemoryBudget budget);
  }

  @FunctionalInterface
  private interface SimpleMaker<T extends LookupTable> {
    T make(String name, DataType keyType, DataType valueType, MemoryBudget budget);
  }

  private LookupKernels() {}

  public static Kernel hashTable(KernelNode node, HandleForm form) {
    return maker(node, form, HashTable.class, Shape.scalar(), ignoringCall(HashTable::new));
  }

  /** A table of the step only. */
  public static Kernel anonymousHashTable(KernelNode node) {
    return anonymous(node, HashTable.class, ignoringCall(HashTable::new));
  }

  public static Kernel anonymousMutableHashTable(KernelNode node) {
    return anonymous(node, MutableHashTable.class, mutable(Shape.scalar()));
  }

  public static Kernel anonymousMutableHashTableOfTensors(KernelNode node) {
    return anonymous(node, MutableHashTable.class, mutable(vectorShape(node)));
  }

  public static Kernel anonymousDenseHashTable(KernelNode node) {
    return anonymous(node, MutableHashTable.class, dense(node, denseShape(node)));
  }

  /** A table with a key for free buckets in input 0 and maybe one for deleted ones in input 1. */
  public static Kernel denseHashTable(KernelNode node, HandleForm form) {
    Shape shape = denseShape(node);
    return maker(node, form, MutableHashTable.class, shape, dense(node, shape));
  }

  public static Kernel mutableHashTable(KernelNode node, HandleForm form) {
    return maker(node, form, MutableHashTable.class, Shape.scalar(), mutable(Shape.scalar()));
  }

  public static Kernel mutableHashTableOfTensors(KernelNode node, HandleForm form) {
    Shape shape = vectorShape(node);
    return maker(node, form, MutableHashTable.class, shape, mutable(shape));
  }

  private static Shape vectorShape(KernelNode node) {
    Shape shape = node.attributes().shape("value_shape");
    if (!shape.isFullyDefined() || shape.rank() != 1) {
      throw TributaryException.invalidArgument(
          "value_shape must be that of a vector, got %s", shape);
    }
    return shape;
  }

  private static Shape denseShape(KernelNode node) {
    Shape shape = node.attributes().shape("value_shape");
    if (!shape.isFullyDefined() || shape.rank() > 1) {
      throw TributaryException.invalidArgument(
          "value_shape must be that of a scalar or a vector, got %s", shape);
    }
    return shape;
  }

  private static Maker<MutableHashTable> mutable(Shape valueShape) {
    return (call, name, keys, values, budget) ->
        new MutableHashTable(name, keys, values, valueShape, budget);
  }

  private static Maker<MutableHashTable> dense(KernelNode node, Shape valueShape) {
    long initialCount = node.attributes().integer("initial_num_buckets");
    float maxLoadFactor = node.attributes().real("max_load_factor");
    return (call, name, keys, values, budget) -> {
      Set<Object> reserved = new HashSet<>();
      for (int i = 0; i < call.inputCount(); i++) {
        if (call.input(i).rank() != 0) {
          throw TributaryException.unimplemented(
              "keys of dense hash tables must be scalars, got an empty or deleted key of shape %s",
              call.input(i).shape());
        }
        if (!reserved.add(Elements.get(call.input(i), 0))) {
          throw TributaryException.invalidArgument(
              "Empty and deleted keys cannot be equal, got %s twice",
              Elements.text(Elements.get(call.input(i), 0)));
        }
      }
      Object emptyKey = Elements.get(call.input(0), 0);
      return new DenseHashTable(
          name,
          keys,
          values,
          valueShape,
          new DenseHashTable.Buckets(emptyKey, reserved, initialCount, maxLoadFactor),
          budget);
    };
  }

  private static <T extends LookupTable> Maker<T> ignoringCall(SimpleMaker<T> maker) {
    return (call, name, keys, values, budget) -> maker.make(name, keys, values, budget);
  }

  public static Kernel find(KernelNode node, HandleForm form) {
    return c -> table(c, form).find(c);
  }

  public static Kernel insert(KernelNode node, HandleForm form) {
    return c -> table(c, form).insert(c.input(1), c.input(2));
  }

  public static Kernel remove(KernelNode node, HandleForm form) {
    return c -> table(c, form).remove(c.input(1));
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
      HashTable table = lookup(c, form, HashTable.class);
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
          HashTable table = lookup(c, form, HashTable.class);
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
        c -> maker.make(c, name.name(), keyType, valueType, c.allocator().budget()),
        table -> table.requireFits(keyType, valueType, valueShape));
  }

  /** Makes another table in each call, which ends with the step. */
  private static <T extends LookupTable> Kernel anonymous(
      KernelNode node, Class<T> kind, Maker<T> maker) {
    DataType keyType = node.attributes().type("key_dtype");
    DataType valueType = node.attributes().type("value_dtype");
    Elements.requireSupport(keyType);
    Elements.requireSupport(valueType);
    return c -> {
      String name = StepResources.uniqueName(node.name());
      T table = maker.make(c, name, keyType, valueType, c.allocator().budget());
      c.step().scratch().add(name, table);
      c.setOutput(0, StepResources.handle(c, name, kind));
    };
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
    return lookup(context, form, LookupTable.class);
  }

  private static <T extends LookupTable> T lookup(
      KernelContext context, HandleForm form, Class<T> kind) {
    boolean isOfStep =
        form == HandleForm.RESOURCE && StepResources.isHandle(ResourceHandle.ofInput(context, 0));
    return isOfStep ? StepResources.lookup(context, 0, kind) : form.lookup(context, kind);
  }
}
