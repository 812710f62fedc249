package dev.tributary.internal.kernel.io;

import dev.tributary.internal.bundle.BundleWriter;
import dev.tributary.internal.bundle.VariantForm;
import dev.tributary.internal.concurrent.Cancellation;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.DeviceActivity;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Writes the tensors of one call into a new checkpoint. Holds them until that is done. */
final class SaveWork implements FileWork {
  private static final int FIRST_TENSOR = 3;

  private final FileRoot files;
  private final VariantForm variants;
  private final DeviceActivity activity;
  private final Cancellation cancellation;
  private final String prefix;
  private final NamedTensors names;
  private final List<Tensor> tensors = new ArrayList<>();

  SaveWork(KernelContext context, VariantForm variants) {
    this.variants = variants;
    int count = context.inputCount() - FIRST_TENSOR;
    files = context.device().files();
    activity = context.device().activity();
    cancellation = context.step().cancellation();
    names = NamedTensors.of(context, count);
    prefix = StringInputs.single(context, 0, "prefix");
    for (int i = 0; i < count; i++) {
      tensors.add(context.input(FIRST_TENSOR + i).retain());
    }
  }

  @Override
  public Outcome run() {
    Runnable pace = BackgroundPace.here(activity, cancellation);
    try (BundleWriter writer = BundleWriter.create(files, files.resolve(prefix), variants, pace)) {
      names.addTo(writer, tensors);
      writer.finish();
    }
    return call -> {};
  }

  @Override
  public void close() {
    tensors.forEach(Tensor::close);
  }
}
