package dev.tributary.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path root;

  @BeforeEach
  void writeMachine() throws IOException {
    write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         1000000 kB\n");
  }

  @Test
  void total_noContainer_isTheMachines() throws IOException {
    write("proc/self/cgroup", "0::/user.slice\n");
    write("sys/fs/cgroup/user.slice/memory.max", "max\n");

    assertThat(total()).isEqualTo(16 * GIB);
  }

  @Test
  void total_controlGroupsOfVersion2_isTheLeastOnTheWayUp() throws IOException {
    write("proc/self/cgroup", "0::/pods/one/shell\n");
    write("sys/fs/cgroup/pods/one/shell/memory.max", "max\n");
    write("sys/fs/cgroup/pods/one/memory.max", GIB + "\n");
    write("sys/fs/cgroup/pods/memory.max", 4 * GIB + "\n");

    assertThat(total()).isEqualTo(GIB);
  }

  @Test
  void total_controlGroupsOfVersion1_isThatOfTheMemoryController() throws IOException {
    write("proc/self/cgroup", "5:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n");
    write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", 2 * GIB + "\n");
    write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");

    assertThat(total()).isEqualTo(2 * GIB);
  }

  @Test
  void total_pathOutsideOfTheContainer_isThatOfTheTopGroup() throws IOException {
    write("proc/self/cgroup", "0::/../../outside\n");
    write("sys/fs/cgroup/memory.max", 3 * GIB + "\n");

    assertThat(total()).isEqualTo(3 * GIB);
  }

  @Test
  void total_noFiles_isWhatTheVirtualMachineSays() {
    assertThat(new MachineMemory(root.resolve("nowhere")).total()).isPositive();
  }

  @Test
  void defaultLimit_anyHeap_leavesRoomForItAndForOthers() {
    assertThat(MachineMemory.defaultLimit(10 * GIB, 3 * GIB)).isEqualTo(5 * GIB);
    assertThat(MachineMemory.defaultLimit(8 * GIB, 7 * GIB)).isEqualTo(2 * GIB);
    assertThat(MachineMemory.defaultLimit()).isPositive();
  }

  private long total() {
    return new MachineMemory(root).total();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }
}
