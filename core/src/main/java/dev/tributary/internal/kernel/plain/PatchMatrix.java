package dev.tributary.internal.kernel.plain;

/**
 * The patches of an image batch as a matrix, without building it. Rows are places of a grid (image,
 * i, j); columns are pairs (tap, channel). Tap t of place (i, j) is the pixel (i * yStride +
 * tapY[t], j * xStride + tapX[t]), and zero outside of the image. With a single tap this is the
 * image itself, or every s-th pixel of it, and then it can be stored to.
 */
record PatchMatrix(
    ImageLayout image,
    long gridHeight,
    long gridWidth,
    long yStride,
    long xStride,
    long[] tapY,
    long[] tapX,
    int channels)
    implements Matrix {
  /** Below this number of channels, runs along pixels are the longer ones even in NHWC. */
  private static final int FEW_CHANNELS = 8;

  /** All pixels of the images, as [pixels, channels]. */
  static PatchMatrix pixels(ImageLayout image, int channels) {
    return new PatchMatrix(
        image, image.height(), image.width(), 1, 1, new long[1], new long[1], channels);
  }

  @Override
  public boolean isColumnMajor() {
    return image.pixelStep() < image.channelStep();
  }

  @Override
  public void load(Panel to, boolean flip, long row, int rows, long column, int columns) {
    if (isColumnMajor() || channels < FEW_CHANNELS) {
      loadAlongPixels(to, flip, row, rows, column, columns);
    } else {
      loadAlongChannels(to, flip, row, rows, column, columns);
    }
  }

  private void loadAlongChannels(
      Panel to, boolean flip, long row, int rows, long column, int columns) {
    long j = row % gridWidth;
    long i = row / gridWidth % gridHeight;
    long start = image.address() + row / gridWidth / gridHeight * image.imageStep();
    for (int r = 0; r < rows; r++) {
      int tap = (int) (column / channels);
      int channel = (int) (column % channels);
      for (int c = 0; c < columns; ) {
        final int count = Math.min(channels - channel, columns - c);
        final long y = i * yStride + tapY[tap];
        final long x = j * xStride + tapX[tap];
        if (y >= 0 && y < image.height() && x >= 0 && x < image.width()) {
          final long from =
              start + y * image.lineStep() + x * image.pixelStep() + channel * image.channelStep();
          to.load(flip, flip ? c : r, flip ? r : c, count, from, image.channelStep());
        } else {
          to.zero(flip, flip ? c : r, flip ? r : c, count);
        }
        c += count;
        channel = 0;
        tap++;
      }
      if (++j == gridWidth) {
        j = 0;
        if (++i == gridHeight) {
          i = 0;
          start += image.imageStep();
        }
      }
    }
  }

  private void loadAlongPixels(
      Panel to, boolean flip, long row, int rows, long column, int columns) {
    for (int r = 0; r < rows; ) {
      final long j = (row + r) % gridWidth;
      final long line = (row + r) / gridWidth;
      final long i = line % gridHeight;
      final long start = image.address() + line / gridHeight * image.imageStep();
      final int count = (int) Math.min(gridWidth - j, rows - r);
      for (int c = 0; c < columns; c++) {
        final int tap = (int) ((column + c) / channels);
        final long channel = (column + c) % channels;
        final long y = i * yStride + tapY[tap];
        int low = count;
        int high = count;
        if (y >= 0 && y < image.height()) {
          low = clamp(ceilDiv(-tapX[tap], xStride) - j, count);
          high = Math.max(low, clamp(ceilDiv(image.width() - tapX[tap], xStride) - j, count));
        }
        if (low > 0) {
          to.zero(!flip, flip ? c : r, flip ? r : c, low);
        }
        if (high > low) {
          final long x = (j + low) * xStride + tapX[tap];
          final long from =
              start + y * image.lineStep() + x * image.pixelStep() + channel * image.channelStep();
          to.load(
              !flip,
              flip ? c : r + low,
              flip ? r + low : c,
              high - low,
              from,
              xStride * image.pixelStep());
        }
        if (count > high) {
          to.zero(!flip, flip ? c : r + high, flip ? r + high : c, count - high);
        }
      }
      r += count;
    }
  }

  @Override
  public void store(
      Panel from, boolean flip, long row, int rows, long column, int columns, boolean accumulate) {
    for (int r = 0; r < rows; ) {
      final long j = (row + r) % gridWidth;
      final long line = (row + r) / gridWidth;
      final long y = line % gridHeight * yStride + tapY[0];
      final int count = (int) Math.min(gridWidth - j, rows - r);
      final long start =
          image.address()
              + line / gridHeight * image.imageStep()
              + y * image.lineStep()
              + (j * xStride + tapX[0]) * image.pixelStep()
              + column * image.channelStep();
      final long step = xStride * image.pixelStep();
      if (!isColumnMajor()) {
        for (int i = 0; i < count; i++) {
          final int at = r + i;
          from.store(
              flip,
              flip ? 0 : at,
              flip ? at : 0,
              columns,
              start + i * step,
              image.channelStep(),
              accumulate);
        }
      } else {
        for (int c = 0; c < columns; c++) {
          from.store(
              !flip,
              flip ? c : r,
              flip ? r : c,
              count,
              start + c * image.channelStep(),
              step,
              accumulate);
        }
      }
      r += count;
    }
  }

  private static long ceilDiv(long a, long b) {
    return -Math.floorDiv(-a, b);
  }

  private static int clamp(long value, int max) {
    return (int) Math.max(0, Math.min(max, value));
  }
}
