package dev.tributary.internal.kernel.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The numbers themselves: all expected values and checksums were taken from stock TensorFlow 2.18
 * on Linux x86-64.
 */
class DistributionTest {
  private static final int RUNS = 3;
  private static final int[] SIZES = {1, 3, 4, 5, 255, 256, 257, 1000};

  /**
   * Distribution, type, both seeds, then for each size the CRC-32 of three successive runs of the
   * stateful op.
   */
  private static final String STATEFUL =
      """
      uniform FLOAT 1 2 432a530c b62e8c23 eaab2638 186afed4 e7462389 078c829c 7207da00 04d3f5f2
      uniform FLOAT 87654321 -5 152b0e98 414a5ea8 fc9fab0c 491578ae abc4d5c9 0689340f 5e095a19 021328fa
      uniform DOUBLE 1 2 ce48e80c dcd06068 8d9b7b65 d8727f03 69feeb33 4cdd9b41 3059f836 d3292ce9
      uniform DOUBLE 87654321 -5 d448877c a2afac67 01d0453d 42fa17b3 90367c45 7bf45f80 56cc7c55 e214a26b
      uniform HALF 87654321 -5 f805c74f f6b242b1 d9101744 bd43f6a4 acd61948 b0db3ca2 4e37e164 918dd1a1
      uniform BFLOAT16 87654321 -5 2889fe79 4fe7ea38 a397bb26 4275fe86 78e50f1e 54223393 e822deeb f043b3a8
      normal FLOAT 1 2 853e4b78 bbe980f5 7ab8cc8d 4541b122 a62dada3 bdb3a08b 664c0819 1486753d
      normal FLOAT 87654321 -5 713ca432 8d381771 9623e851 f8460c3a 242471cd 1770e55f 390e1d35 502307fa
      normal DOUBLE 1 2 dc03a5bb 8472f180 81410b7e a86157b5 ca361695 0dbd99a7 d79408c4 ac6f0171
      normal DOUBLE 87654321 -5 b6db7e4d 79ee70dc 6fc9f1cb b4108f17 2903180e 8b2d2532 e7bca0be d6dfa20c
      normal HALF 87654321 -5 1ec70077 cd308924 f0f67a46 e584d180 fbcf7f1a 08cc390b ee0ea2d4 6f0e457a
      normal BFLOAT16 87654321 -5 650c6ac9 b474b34a e68feb1b ef2f5224 bc04ea76 c044595e 9a7c8f28 469b1eb7
      truncatedNormal FLOAT 1 2 853e4b78 bbe980f5 a8f5be55 90c9d991 c2994917 38cf6026 bd065c10 d82a74d7
      truncatedNormal FLOAT 87654321 -5 713ca432 8d381771 57172395 a642f733 4c39483d 81ea7f56 e2f6023e 21c3d9e3
      truncatedNormal DOUBLE 1 2 dc03a5bb 3841468c 69fbface 617108c7 b95fe76f 9566ea32 55ad012f e97c0166
      truncatedNormal DOUBLE 87654321 -5 b6db7e4d e1e2bedc cf7c308a 2e63aed6 3f86ee61 4cb2be9c b3959f7d 673f713c
      truncatedNormal HALF 87654321 -5 1ec70077 cd308924 69cfca17 6862cc00 39a4779c c44371d2 d819bdca a9415f3a
      truncatedNormal BFLOAT16 87654321 -5 650c6ac9 b474b34a 91eef2ce fd39f1bb 9d9cbcb5 e4ffc3fd ad781ba1 f5319d77
      uniformInt INT32 1 2 db4ee4e8 86f75155 16f1ed19 d86d5129 ccf72328 1bbb1a4b 1ad6c3c1 e92e38ac
      uniformInt INT32 87654321 -5 33a8178a 0e165916 9c250064 4a69b6d8 87439ab3 4178a27a efce9e72 7b403439
      uniformInt INT64 1 2 1f92c11c e073db14 d030de4e f024bbf7 e4e537a9 38ac59ec a41d7299 2785b50d
      uniformInt INT64 87654321 -5 f793042d cb6f5bcc 7633e798 eafff581 55092079 a93763a3 5118adac 56efd5b3
      """;

  /** Distribution, type, both seeds, then for each size the CRC-32 of the stateless op's result. */
  private static final String STATELESS =
      """
      uniform FLOAT 1 2 f0d6099c bdf7afe1 168272e5 d13b7fb0 75245cc6 ef110eb5 dcb8676a 46964500
      uniform FLOAT 87654321 -5 403f6082 794ce06b 23e7ac91 43b4e4ac 9696b2cd 6e0bc7ee 6ecfc186 c44ca2db
      uniform DOUBLE 1 2 6fc65200 74ab158a ae9a0cd2 58b3b5fa c0e87d6f 1f3f0588 373d1283 dd641ca1
      uniform DOUBLE 87654321 -5 10357ec9 4e501e82 67578183 8a4aa43c c75baa74 77e69dd0 c3a2a716 4fe61572
      uniform HALF 87654321 -5 b933b4cc 20f0f401 2dab1630 c64af844 4e29f287 40cb21f0 7f61f34c 9a9c4e75
      uniform BFLOAT16 87654321 -5 85dde89e 9aa7f217 93b9d041 7fe8f315 af0ca576 fdb688a5 cd3a2645 84cda1b8
      normal FLOAT 1 2 8dfc1527 4e19653b 19d28dbb b5e4a997 6d22303f 6f36af1f 5623d1de fe0d58d4
      normal FLOAT 87654321 -5 05fe7942 f7eaddd3 3e3a4fec 92164de4 e9b31d84 df9815e4 32cb1ad7 ec4c2dc7
      normal DOUBLE 1 2 d070f2c6 02e8f3a7 1c525be5 01430996 20f5e979 d5aa7682 f120bf16 022b70a2
      normal DOUBLE 87654321 -5 11462888 f252a884 b8b783fc ea508a86 c9b0f067 97cc48d9 140cd270 49d3f7e3
      normal HALF 87654321 -5 c198c197 90b07fb9 aa33babf b912aa0b fba89fbc b3a2852f ec50277a 637691d9
      normal BFLOAT16 87654321 -5 31045b2c 064a8490 2c51f578 6be5a6a9 09e73377 16d9738e 85169ff4 6fffb285
      truncatedNormal FLOAT 1 2 8dfc1527 4e19653b 19d28dbb e9fe3f10 a94410be 9b6f8239 87dd149c fa0c5b68
      truncatedNormal FLOAT 87654321 -5 05fe7942 f7eaddd3 3e3a4fec 93ac4c1f 0d094bba 554269b6 e4f58452 21f62bf5
      truncatedNormal DOUBLE 1 2 d070f2c6 218f60da f3a211b8 613f8e5a 647e2af4 126e32a8 f58d552c bffbfd37
      truncatedNormal DOUBLE 87654321 -5 11462888 ba0fd984 27cfdc70 e1ecff18 22186177 c143079f 3c9d3e4f 5de38bf8
      truncatedNormal HALF 87654321 -5 c198c197 90b07fb9 aa33babf 88cd2f0d ae01d16a eba02cb7 4ec80160 755d10ec
      truncatedNormal BFLOAT16 87654321 -5 31045b2c 064a8490 2c51f578 4e62ccdd 6d76602e 5ec89d54 87fc4c4c e1efe006
      uniformInt INT32 1 2 39ca1747 aed33008 ede54a78 ff5b3eb4 314eeef1 0a67c616 79b51908 6d4a4adf
      uniformFullInt INT32 1 2 352787aa c02371ed e45ad004 7ad14bd5 92fed242 1b3f8138 c918161d 26d8d703
      uniformInt INT32 87654321 -5 9e4280e1 55841980 09a87c2f a7db82b5 2f01bb3a 1f949c39 45129baa c77c5f62
      uniformFullInt INT32 87654321 -5 d00379ba f9bb7a6c 809a87bf 0cec6381 47b1fd91 89d778e9 f308b6c7 45d4ea5b
      uniformInt INT64 1 2 77920e00 4e9a0c75 906fd634 cb2a700c 027476c8 2eeecfb9 a7853c10 21b37a93
      uniformFullInt INT64 1 2 c510c839 6ab37ae0 5be9bfe6 cc3f856f 5206cdde 566813ff 47691b04 dc8842d8
      uniformInt INT64 87654321 -5 0a4cf191 bc7b9d15 74b98f1b cbe8fbe6 2a9850c6 a7166844 73cb6f74 62503e94
      uniformFullInt INT64 87654321 -5 76e8c977 986c9603 76d5ef53 87d38502 329c76dc 65b19263 a36b622b d25273db
      """;

  private final GuardedPhilox state = GuardedPhilox.ofSeeds(87654321, 42, () -> 0);

  static String[] stateful() {
    return STATEFUL.split("\n");
  }

  static String[] stateless() {
    return STATELESS.split("\n");
  }

  @ParameterizedTest
  @MethodSource("stateful")
  void bits_ofSuccessiveRuns_equalStock(String row) {
    String[] cells = row.split(" ");
    for (int i = 0; i < SIZES.length; i++) {
      GuardedPhilox kernel =
          GuardedPhilox.ofSeeds(Long.parseLong(cells[2]), Long.parseLong(cells[3]), () -> 0);
      CRC32 bits = new CRC32();
      for (int run = 0; run < RUNS; run++) {
        bits.update(fill(cells, kernel.reserveOutputs(SIZES[i]), SIZES[i]));
      }
      assertThat(hex(bits)).as("size %d", SIZES[i]).isEqualTo(cells[4 + i]);
    }
  }

  @ParameterizedTest
  @MethodSource("stateless")
  void bits_ofStatelessSeeds_equalStock(String row) {
    String[] cells = row.split(" ");
    for (int i = 0; i < SIZES.length; i++) {
      CRC32 bits = new CRC32();
      bits.update(
          fill(
              cells,
              Philox.ofStatelessSeed(Long.parseLong(cells[2]), Long.parseLong(cells[3])),
              SIZES[i]));
      assertThat(hex(bits)).as("size %d", SIZES[i]).isEqualTo(cells[4 + i]);
    }
  }

  @Test
  void uniform_twoRuns_equalsStock() {
    Distribution uniform = Distribution.uniform(DataType.FLOAT);
    assertThat(floats(uniform))
        .containsExactly(0.95227146f, 0.67740774f, 0.79531825f, 0.75578177f, 0.4759556f);
    assertThat(floats(uniform))
        .containsExactly(0.81274223f, 0.59748733f, 0.79614735f, 0.5760071f, 0.13790011f);
  }

  @Test
  void normal_twoRuns_equalsStock() {
    Distribution normal = Distribution.normal(DataType.FLOAT);
    assertThat(floats(normal))
        .containsExactly(-0.28077507f, -0.1377521f, -0.6763296f, 0.024580413f, -0.89358455f);
    assertThat(floats(normal))
        .containsExactly(-0.37023765f, -0.5268839f, -0.31035113f, -0.59968674f, 1.6946021f);
  }

  @Test
  void truncatedNormal_secondGroup_beginsItsOwnRegion() {
    Distribution truncated = Distribution.truncatedNormal(DataType.FLOAT);
    assertThat(floats(truncated))
        .containsExactly(-0.28077507f, -0.1377521f, -0.6763296f, 0.024580413f, -0.46845472f);
  }

  @Test
  void normal_ofDoubles_equalsStock() {
    try (Tensor tensor = Tensor.allocate(DataType.DOUBLE, Shape.of(5))) {
      Distribution.normal(DataType.DOUBLE)
          .fill(state.reserveOutputs(5), tensor.storage().address(), 5);
      assertThat(tensor.toDoubles())
          .containsExactly(
              0.7456244549943906,
              -0.6371964266311646,
              0.04856931364585292,
              -0.6518469707884212,
              -0.861626965289776);
    }
  }

  @Test
  void uniformInt_twoRuns_equalsStock() {
    Distribution integers = Distribution.uniformInt(DataType.INT32, -3, 10);
    try (Tensor tensor = Tensor.allocate(DataType.INT32, Shape.of(6))) {
      integers.fill(state.reserveOutputs(6), tensor.storage().address(), 6);
      assertThat(tensor.toInts()).containsExactly(4, 9, 0, 5, 5, 6);
      integers.fill(state.reserveOutputs(6), tensor.storage().address(), 6);
      assertThat(tensor.toInts()).containsExactly(-2, 6, 9, 6, 8, -1);
    }
  }

  @Test
  void fill_ofNothing_touchesNothing() {
    for (Distribution distribution :
        new Distribution[] {
          Distribution.uniform(DataType.DOUBLE), Distribution.truncatedNormal(DataType.FLOAT)
        }) {
      distribution.fill(Philox.ofSeeds(1, 2), 0, 0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE", "HALF"})
  void fill_cutAtAGroup_equalsTheWhole(DataType type) {
    for (Distribution distribution :
        new Distribution[] {
          Distribution.uniform(type), Distribution.normal(type), Distribution.truncatedNormal(type)
        }) {
      int size = 5003;
      int groups = 700;
      int first = groups * distribution.elementsPerGroup();
      try (Tensor whole = Tensor.zeros(type, Shape.of(size));
          Tensor pieces = Tensor.zeros(type, Shape.of(size))) {
        distribution.fill(Philox.ofSeeds(5, 6), whole.storage().address(), size);
        Philox second = Philox.ofSeeds(5, 6);
        second.skip(groups * distribution.blocksPerGroup());
        distribution.fill(
            second, pieces.storage().address() + (long) first * type.size(), size - first);
        distribution.fill(Philox.ofSeeds(5, 6), pieces.storage().address(), first);
        assertThat(pieces.toBytes()).isEqualTo(whole.toBytes());
      }
    }
  }

  @Test
  void distributions_ofOtherTypes_areRefused() {
    assertThatThrownBy(() -> Distribution.normal(DataType.INT32))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("int32");
    assertThatThrownBy(() -> Distribution.uniform(DataType.STRING)).hasMessageContaining("string");
    assertThatThrownBy(() -> Distribution.uniformInt(DataType.INT64, 4, 4))
        .hasMessageContaining("4 >= 4");
    assertThatThrownBy(() -> Distribution.uniformFullInt(DataType.FLOAT))
        .hasMessageContaining("float");
  }

  private float[] floats(Distribution distribution) {
    try (Tensor tensor = Tensor.allocate(DataType.FLOAT, Shape.of(5))) {
      distribution.fill(state.reserveOutputs(5), tensor.storage().address(), 5);
      return tensor.toFloats();
    }
  }

  private static byte[] fill(String[] cells, Philox stream, int size) {
    DataType type = DataType.valueOf(cells[1]);
    Distribution distribution =
        switch (cells[0]) {
          case "uniform" -> Distribution.uniform(type);
          case "normal" -> Distribution.normal(type);
          case "truncatedNormal" -> Distribution.truncatedNormal(type);
          case "uniformInt" -> Distribution.uniformInt(type, -7, 1000);
          default -> Distribution.uniformFullInt(type);
        };
    try (Tensor tensor = Tensor.allocate(type, Shape.of(size))) {
      distribution.fill(stream, tensor.storage().address(), size);
      return tensor.toBytes();
    }
  }

  private static String hex(CRC32 bits) {
    return String.format("%08x", bits.getValue());
  }
}
