package dev.tributary.optable;

import java.util.ArrayList;
import java.util.List;

/**
 * The op table: a row for every registered op, family by family. {@code OpTableTest} fails if an op
 * has none.
 */
public final class OpTable {
  private OpTable() {}

  public static List<OpRow> rows() {
    List<OpRow> rows = new ArrayList<>();
    rows.addAll(ArrayOpRows.rows());
    rows.addAll(JoinOpRows.rows());
    rows.addAll(SliceOpRows.rows());
    rows.addAll(IndexOpRows.rows());
    rows.addAll(ScatterNdOpRows.rows());
    rows.addAll(LayoutOpRows.rows());
    rows.addAll(RollOpRows.rows());
    rows.addAll(BlockOpRows.rows());
    rows.addAll(InplaceOpRows.rows());
    rows.addAll(MatrixOpRows.rows());
    rows.addAll(ImageOpRows.rows());
    rows.addAll(ColorOpRows.rows());
    rows.addAll(BoxOpRows.rows());
    rows.addAll(ResizeOpRows.rows());
    rows.addAll(MathOpRows.rows());
    rows.addAll(FunctionOpRows.rows());
    rows.addAll(ComplexOpRows.rows());
    rows.addAll(SpecialMathOpRows.rows());
    rows.addAll(CompareOpRows.rows());
    rows.addAll(ReduceOpRows.rows());
    rows.addAll(SequenceOpRows.rows());
    rows.addAll(SegmentOpRows.rows());
    rows.addAll(LinalgOpRows.rows());
    rows.addAll(DecompositionOpRows.rows());
    rows.addAll(FactorOpRows.rows());
    rows.addAll(BandOpRows.rows());
    rows.addAll(BatchMatrixOpRows.rows());
    rows.addAll(NnOpRows.rows());
    rows.addAll(ConvOpRows.rows());
    rows.addAll(Conv3dOpRows.rows());
    rows.addAll(Pool3dOpRows.rows());
    rows.addAll(ArgmaxPoolOpRows.rows());
    rows.addAll(QuantizeOpRows.rows());
    rows.addAll(RequantizeOpRows.rows());
    rows.addAll(MorphologyOpRows.rows());
    rows.addAll(OrderOpRows.rows());
    rows.addAll(GlobalNormOpRows.rows());
    rows.addAll(CtcOpRows.rows());
    rows.addAll(RnnOpRows.rows());
    rows.addAll(NormOpRows.rows());
    rows.addAll(StateOpRows.rows());
    rows.addAll(TrainingOpRows.rows());
    rows.addAll(FlowOpRows.rows());
    rows.addAll(CallOpRows.rows());
    rows.addAll(DataFlowOpRows.rows());
    rows.addAll(CollectiveOpRows.rows());
    rows.addAll(TensorListOpRows.rows());
    rows.addAll(QueueOpRows.rows());
    rows.addAll(DatasetOpRows.rows());
    rows.addAll(HostOpRows.rows());
    rows.addAll(StagingOpRows.rows());
    rows.addAll(AccumulatorOpRows.rows());
    rows.addAll(LookupOpRows.rows());
    RandomOpRows.rows().forEach(row -> rows.add(row.tolerance(0)));
    GeneratorOpRows.rows().forEach(row -> rows.add(row.tolerance(0)));
    rows.addAll(DistributionOpRows.rows());
    rows.addAll(CandidateOpRows.rows());
    rows.addAll(StringOpRows.rows());
    rows.addAll(TextOpRows.rows());
    rows.addAll(UnicodeOpRows.rows());
    rows.addAll(CountingOpRows.rows());
    rows.addAll(RowCountOpRows.rows());
    rows.addAll(SparseOpRows.rows());
    rows.addAll(SparseMathOpRows.rows());
    rows.addAll(SparseJoinOpRows.rows());
    rows.addAll(SparseMessageOpRows.rows());
    rows.addAll(SparseSegmentOpRows.rows());
    rows.addAll(SparseElementOpRows.rows());
    rows.addAll(RaggedOpRows.rows());
    rows.addAll(RaggedVariantOpRows.rows());
    rows.addAll(AudioOpRows.rows());
    rows.addAll(TpuOpRows.rows());
    rows.addAll(SetOpRows.rows());
    rows.addAll(IoOpRows.rows());
    rows.addAll(DecodeOpRows.rows());
    rows.addAll(ImageFileOpRows.rows());
    rows.addAll(ParseOpRows.rows());
    rows.addAll(ReaderOpRows.rows());
    rows.addAll(SummaryOpRows.rows());
    return rows;
  }
}
