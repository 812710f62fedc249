package dev.tributary.internal.kernel.resource;

import dev.tributary.internal.kernel.Device;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.OwningKernel;
import dev.tributary.internal.kernel.Resource;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Finds or makes the resource of a node and gives its handle. It owns one that nobody else knows.
 */
final class ResourceMaker<R extends Resource> implements OwningKernel {
  private final Device device;
  private final ResourceName name;
  private final Class<R> type;
  private final Function<KernelContext, ? extends R> make;
  private final Consumer<R> check;
  private final Consumer<KernelContext> giver;

  ResourceMaker(
      Device device,
      ResourceName name,
      Class<R> type,
      Function<KernelContext, ? extends R> make,
      Consumer<R> check,
      Consumer<KernelContext> giver) {
    this.device = device;
    this.name = name;
    this.type = type;
    this.make = make;
    this.check = check;
    this.giver = giver;
  }

  @Override
  public void compute(KernelContext context) {
    check.accept(name.findOrCreate(device, type, () -> make.apply(context)));
    giver.accept(context);
  }

  @Override
  public void close() {
    if (name.isPrivate()) {
      name.remove(device);
    }
  }
}
