package dev.tributary.interop;

import dev.tributary.optable.*;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.*;
import java.io.*;
import java.util.*;
import org.junit.jupiter.api.Test;

@RequiresStockTensorFlow
class ComplexAuditTest {
  @Test
  void audit() throws Exception {
    try (PrintWriter out = new PrintWriter("/tmp/cx-audit.txt")) {
      for (OpRow row : TableDraws.rows()) {
        if (row.generator().isEmpty() || row.types().contains(DataType.COMPLEX64)
            || row.op().contains("Random") || row.stockExcuse().isPresent()) continue;
        Map<String, Integer> seen = new TreeMap<>();
        for (DataType type : List.of(DataType.COMPLEX64, DataType.COMPLEX128)) {
          for (int seed = 1; seed < 5; seed++) {
            OpCall call;
            try {
              call = row.generator().get().apply(new Draw(seed, type, Draw.Size.ORDINARY));
            } catch (Throwable e) { seen.merge("no draw", 1, Integer::sum); continue; }
            boolean has = call.inputs().stream().anyMatch(t -> t.type().isComplex());
            String ours; List<Tensor> a = List.of(); List<Tensor> b = List.of(); String stock;
            CallSession session = null;
            try { session = new CallSession(Ops.registry());
              a = new ArrayList<>(); session.run(CallGraph.fed(session.tf(), row.op(), call)).forEach(a::add); ours = "OK"; }
            catch (dev.tributary.error.TributaryException e) { ours = e.code() + " " + e.getMessage().replace('\n', ' '); }
            catch (Throwable e) { ours = "THROWS " + e; }
            try { b = StockTensorFlow.runOp(row.op(), TableDraws.attributes(call), call.inputs(), TableDraws.shaped(call)); stock = "OK"; }
            catch (StockException e) { stock = e.code() + ""; }
            catch (Throwable e) { stock = "THROWS " + e; }
            String result;
            if (ours.equals("OK") && stock.equals("OK")) {
              try { TensorCompare.requireEqual("x", a, b, row::tolerance); result = "EQUAL"; }
              catch (Throwable e) { result = "DIFFER " + e.getMessage().split("\n")[0]; }
            } else result = "ours " + (ours.length() > 150 ? ours.substring(0, 150) : ours) + " | stock " + stock;
            seen.merge((has ? "" : "(no complex input) ") + result, 1, Integer::sum);
          }
        }
        out.println(row.op() + ": " + seen);
        out.flush();
      }
    }
  }
}
