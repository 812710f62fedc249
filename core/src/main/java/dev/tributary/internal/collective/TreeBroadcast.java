package dev.tributary.internal.collective;

import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.memory.Memory;
import java.util.ArrayList;
import java.util.List;

/**
 * TensorFlow's broadcast on trees: first among tasks, to one device of each, then among the devices
 * of each task. A tree is binary; where the source is not the first of its subdivision, it also
 * sends to the first two.
 *
 * @param source the rank whose value all get
 */
record TreeBroadcast(int source) implements CollectiveAlgorithm {
  @Override
  public void start(Exchange exchange) {
    List<List<Integer>> trees = subdivisions(exchange.group());
    for (int number = 0; number < trees.size(); number++) {
      List<Integer> tree = trees.get(number);
      if (tree.contains(exchange.rank()) && !isRoot(exchange, tree)) {
        receive(exchange, trees, number);
        return;
      }
    }
    for (int number = 0; number < trees.size(); number++) {
      sendTo(exchange, trees, number);
    }
  }

  /** The ranks of each tree. The first one joins the tasks, if there are several. */
  private List<List<Integer>> subdivisions(CollectiveGroup group) {
    List<List<Integer>> byTask = group.ranksByTask();
    List<List<Integer>> trees = new ArrayList<>();
    if (byTask.size() > 1) {
      trees.add(byTask.stream().map(this::entry).toList());
    }
    trees.addAll(byTask);
    return trees;
  }

  /** The device of a task that gets the value from other tasks, or has it. */
  private int entry(List<Integer> ofTask) {
    return ofTask.contains(source) ? source : ofTask.get(0);
  }

  private boolean isRoot(Exchange exchange, List<Integer> tree) {
    return exchange.rank() == root(tree);
  }

  private int root(List<Integer> tree) {
    return entry(tree);
  }

  private void receive(Exchange exchange, List<List<Integer>> trees, int number) {
    List<Integer> tree = trees.get(number);
    int own = tree.indexOf(exchange.rank());
    int parent = parent(own, tree.indexOf(root(tree)));
    exchange.receive(
        tree.get(parent),
        key(exchange, number, parent, own),
        bytes(exchange),
        value -> {
          Memory.copy(value, exchange.target(), bytes(exchange));
          for (int later = number; later < trees.size(); later++) {
            sendTo(exchange, trees, later);
          }
        });
  }

  private void sendTo(Exchange exchange, List<List<Integer>> trees, int number) {
    List<Integer> tree = trees.get(number);
    int own = tree.indexOf(exchange.rank());
    if (own < 0) {
      return;
    }
    for (int child : children(own, tree.indexOf(root(tree)), tree.size())) {
      exchange.send(
          tree.get(child), key(exchange, number, own, child), exchange.target(), bytes(exchange));
    }
  }

  /** The places to which the one at {@code place} sends, if the value comes from {@code root}. */
  static List<Integer> children(int place, int root, int size) {
    List<Integer> children = new ArrayList<>();
    if (root != 0 && place == root) {
      add(children, 0, root, size);
      add(children, 1, root, size);
    }
    int first = root == 0 ? 2 * place + 1 : 2 * place + 2;
    add(children, first, root, size);
    add(children, first + 1, root, size);
    return children;
  }

  private static void add(List<Integer> children, int place, int root, int size) {
    if (place < size && place != root && !children.contains(place)) {
      children.add(place);
    }
  }

  private static int parent(int place, int root) {
    if (root == 0) {
      return (place - 1) / 2;
    }
    return place < 2 ? root : (place - 2) / 2;
  }

  private static long bytes(Exchange exchange) {
    CollectiveCall call = exchange.call();
    return call.shape().elementCount() * call.type().size();
  }

  private static String key(Exchange exchange, int number, int from, int to) {
    return exchange.call().keys().execution() + ":" + number + ":" + from + ":" + to;
  }
}
