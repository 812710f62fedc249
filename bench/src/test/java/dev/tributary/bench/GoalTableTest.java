package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalTableTest {
  private static final String STOCK = "tensorflow-2.18";

  @Test
  void goal_ofAPath_isComparedWithStockOnEveryJdk() {
    assertThat(
            table(
                List.of("network | null-step | stat=p50 | us | at most 0.4"),
                line(STOCK, 1000),
                line("tributary", 900),
                line("tributary-network", 400),
                line("tributary-network-jdk25", 401)))
        .isEqualTo(
            """

            1 of 2 goals met.

            | system | workload | parameters | unit | ratio | goal | |
            |---|---|---|---|--:|---|---|
            | tributary-network | null-step | input=feed, stat=p50 | us | 0.40 x | at most 0.4 x | met |
            | tributary-network-jdk25 | null-step | input=feed, stat=p50 | us | 0.40 x | at most 0.4 x | **missed** |
            """);
  }

  @Test
  void goal_toAnotherPath_isComparedWithItOnTheSameJdk() {
    assertThat(
            table(
                List.of("tls | null-step | | us | at least 2 of network"),
                line("tributary-network", 100),
                line("tributary-network-jdk25", 10),
                line("tributary-tls-jdk25", 30)))
        .contains("1 of 1 goals met")
        .contains("| 3.00 x | at least 2 x of network | met |");
  }

  @Test
  void goal_ofAJdk_isForItsLocalPath() {
    assertThat(
            table(
                List.of("jdk25 | null-step | | us | at most 0.5"),
                line(STOCK, 100),
                line("tributary", 10),
                line("tributary-jdk25", 60),
                line("tributary-network-jdk25", 10)))
        .contains("0 of 1 goals met");
  }

  @Test
  void goal_byItself_isComparedWithTheFigure() {
    assertThat(
            table(
                List.of("local | null-step | | us | at most 12 by itself"), line("tributary", 10)))
        .contains("1 of 1 goals met")
        .contains("| 10.00 | at most 12 by itself | met |");
  }

  @Test
  void goal_withoutFigures_isLeftOut() {
    assertThat(
            table(
                List.of(
                    "local | null-step | stat=p99 | us | at most 0.4",
                    "local | null-step | | ms | at most 0.4",
                    "local | mlp | | us | at most 0.4"),
                line(STOCK, 100),
                line("tributary", 10)))
        .isEmpty();
  }

  @Test
  void goals_ofTheCourse_nameWorkloadsThatThereAre() {
    assertThat(CourseGoal.all())
        .hasSizeGreaterThan(30)
        .allSatisfy(
            goal -> assertThat(BenchCommand.WORKLOADS.split(",? or |, ")).contains(goal.workload()))
        .allSatisfy(
            goal ->
                assertThat(List.of("local", "network", "tls", "stock-ps", "stock-worker", "jdk25"))
                    .contains(goal.system()));
  }

  @Test
  void line_thatIsNoGoal_isRefused() {
    assertThatThrownBy(() -> CourseGoal.parse("local | mlp | | examples/s | fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fast");
  }

  private static String table(List<String> goals, ResultLine... lines) {
    return new GoalTable(
            new ComparisonTable(Arrays.asList(lines)),
            goals.stream().map(CourseGoal::parse).toList())
        .toMarkdown();
  }

  private static ResultLine line(String peer, double median) {
    Map<String, String> parameters = new LinkedHashMap<>();
    parameters.put("input", "feed");
    parameters.put("stat", "p50");
    return new ResultLine(peer, "null-step", parameters, "us", median, 5);
  }
}
