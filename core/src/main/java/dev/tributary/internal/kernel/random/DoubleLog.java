package dev.tributary.internal.kernel.random;

/**
 * The natural logarithm of positive normal doubles as the GNU C library gives it on processors with
 * fused multiply-add: not always the nearest double, so its own approximation is followed step by
 * step, with {@code x = 2^k z} and {@code log(x) = k log 2 + log c + log(z/c)} for a {@code c} near
 * the middle of the 128th of [0.6875, 1.375) that holds {@code z}.
 */
final class DoubleLog {
  private static final int PARTS = 128;
  private static final long LOWEST = 0x3fe6000000000000L;
  private static final double LOG_2_HIGH = 0x1.62e42fefa3800p-1;
  private static final double LOG_2_LOW = 0x1.ef35793c76730p-45;

  /**
   * The range where log(x) is so small that the table's error would show; a polynomial around 1
   * takes over.
   */
  private static final double NEAR_ONE_FROM = 0x1.ep-1;

  private static final double NEAR_ONE_TO = 0x1.109p0;

  private static final double A2 = -0x1.0000000000001p-1;
  private static final double A3 = 0x1.555555551305bp-2;
  private static final double A4 = -0x1.fffffffeb4590p-3;
  private static final double A5 = 0x1.999b324f10111p-3;
  private static final double A6 = -0x1.55575e506c89fp-3;

  private static final double B2 = -0x1.0000000000000p-1;
  private static final double B3 = 0x1.5555555555577p-2;
  private static final double B4 = -0x1.ffffffffffdcbp-3;
  private static final double B5 = 0x1.999999995dd0cp-3;
  private static final double B6 = -0x1.55555556745a7p-3;
  private static final double B7 = 0x1.24924a344de30p-3;
  private static final double B8 = -0x1.fffffa4423d65p-4;
  private static final double B9 = 0x1.c7184282ad6cap-4;
  private static final double B10 = -0x1.999eb43b068ffp-4;
  private static final double B11 = 0x1.78182f7afd085p-4;
  private static final double B12 = -0x1.5521375d145cdp-4;

  /**
   * The distance in units in the last place of 1/c from the reciprocal of its part's middle. The
   * {@code c} were once searched such that log(c) is almost a multiple of 2^-43, so they cannot be
   * had from a formula; log(c) can.
   */
  private static final int[] RECIPROCAL_OFFSET = {
    -23142382, -57643754, -234334839, -124664804, 19045012, -123323398, -501163255, 342479926,
    -234593306, 57421184, 513617488, -240891478, 85169741, 28659150, 284053799, 342563057,
    -68420459, -346144712, -90113766, -464022980, 285342708, -489548825, 376054848, 47397812,
    -423637851, -260988534, 336107021, 448241578, 154177355, 447893384, 241227555, -420636714,
    -218426730, -96876684, -205835218, -368178198, -345128710, -510284502, 481763731, 209336112,
    429336310, 15489329, 442353177, -417834330, 73183371, 515232680, 507984536, 83787275,
    330409952, 151596684, 377744204, 198302857, 214798271, -345957716, 356163107, 215510022,
    -229897960, -131709726, 215213618, -464519207, -332821996, 385780520, -400344786, 256208139,
    478356527, 345720337, 128466877, 217515751, -162048343, 295127580, -235892775, -69369347,
    93666841, -272860130, 91915174, 29018059, 258893229, 386009280, -241633007, 68399381,
    386341370, 408940642, 65060217, -120872168, 189498853, -32395328, -49955913, 154042178,
    -346113480, 148348366, -396488327, -427431396, 107119491, -500798201, 212184347, 305888811,
    -330297730, -91422864, 6707636, 273897542, -512931067, -500150233, 485589437, -280752730,
    106848032, 30953893, -291342514, -408884927, 149302919, -107851081, 225432558, 460497078,
    -452391632, -490679353, 508304210, 493208081, 336502878, 526975298, -457361038, -312310462,
    -365194252, -421357131, 362015322, 310793228, -441535439, -69145545, -528727990, 433364383,
  };

  private static final double[] RECIPROCAL = new double[PARTS];
  private static final double[] LOG = new double[PARTS];

  static {
    for (int i = 0; i < PARTS; i++) {
      double middle = Double.longBitsToDouble(LOWEST + ((2L * i + 1) << 44));
      RECIPROCAL[i] =
          Double.longBitsToDouble(Double.doubleToRawLongBits(1 / middle) + RECIPROCAL_OFFSET[i]);
      LOG[i] = Math.rint(-StrictMath.log(RECIPROCAL[i]) * 0x1p43) * 0x1p-43;
    }
  }

  private DoubleLog() {}

  static double of(double x) {
    if (x >= NEAR_ONE_FROM && x < NEAR_ONE_TO) {
      return nearOne(x - 1);
    }
    final long bits = Double.doubleToRawLongBits(x);
    final long above = bits - LOWEST;
    final int part = (int) (above >>> 45) & PARTS - 1;
    final double k = above >> 52;
    final double z = Double.longBitsToDouble(bits - (above & 0xfffL << 52));
    final double r = Math.fma(z, RECIPROCAL[part], -1);
    final double r2 = r * r;
    final double base = Math.fma(k, LOG_2_HIGH, LOG[part]);
    final double high = base + r;
    final double low = Math.fma(r2, A2, Math.fma(k, LOG_2_LOW, base - high + r));
    final double tail = Math.fma(Math.fma(r, A6, A5), r2, Math.fma(r, A4, A3));
    return Math.fma(r * r2, tail, low) + high;
  }

  /** log(1 + r). */
  private static double nearOne(double r) {
    final double r2 = r * r;
    final double r3 = r * r2;
    final double top = Math.fma(r3, B12, Math.fma(r2, B11, Math.fma(r, B10, B9)));
    final double middle = Math.fma(top, r3, Math.fma(r2, B8, Math.fma(r, B7, B6)));
    final double tail = Math.fma(middle, r3, Math.fma(r2, B5, Math.fma(r, B4, B3)));
    // The first bits of r square without error, which leaves the largest two terms exact.
    final double rHigh = Math.fma(-0x1p27, r, Math.fma(r, 0x1p27, r));
    final double square = rHigh * rHigh;
    final double high = Math.fma(square, B2, r);
    final double low = Math.fma(B2 * (r - rHigh), r + rHigh, Math.fma(square, B2, r - high));
    return Math.fma(tail, r3, low) + high;
  }
}
