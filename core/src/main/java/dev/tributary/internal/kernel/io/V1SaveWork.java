package dev.tributary.internal.kernel.io;

import dev.tributary.internal.bundle.V1CheckpointWriter;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Writes the tensors of one call into a checkpoint of the first version. Holds them until then. */
final class V1SaveWork implements FileWork {
  private final FileRoot files;
  private final String filename;
  private final NamedTensors names;
  private final List<Tensor> tensors = new ArrayList<>();

  /**
   * @param first the input of the first tensor
   */
  V1SaveWork(KernelContext context, NamedTensors names, int first) {
    files = context.device().files();
    filename = StringInputs.single(context, 0, "filename");
    this.names = names;
    for (int i = first; i < context.inputCount(); i++) {
      tensors.add(context.input(i).retain());
    }
  }

  @Override
  public Outcome run() {
    V1CheckpointWriter writer = new V1CheckpointWriter();
    names.addTo(writer, tensors);
    writer.write(files.resolve(filename));
    return call -> {};
  }

  @Override
  public void close() {
    tensors.forEach(Tensor::close);
  }
}
