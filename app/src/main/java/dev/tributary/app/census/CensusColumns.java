package dev.tributary.app.census;

import static dev.tributary.train.feature.FeatureColumns.bucketized;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithHashBucket;
import static dev.tributary.train.feature.FeatureColumns.categoricalWithVocabularyList;
import static dev.tributary.train.feature.FeatureColumns.crossed;
import static dev.tributary.train.feature.FeatureColumns.embedding;
import static dev.tributary.train.feature.FeatureColumns.indicator;
import static dev.tributary.train.feature.FeatureColumns.numeric;

import dev.tributary.train.feature.CategoricalColumn;
import dev.tributary.train.feature.FeatureColumn;
import dev.tributary.train.feature.NumericColumn;
import java.util.List;
import java.util.Set;

/** The columns of the census, and the two views of a person that the model has. */
final class CensusColumns {
  private static final String AGE = "age";
  private static final String EDUCATION_NUM = "education_num";
  private static final String CAPITAL_GAIN = "capital_gain";
  private static final String CAPITAL_LOSS = "capital_loss";
  private static final String HOURS = "hours_per_week";
  private static final String WEIGHT = "fnlwgt";
  private static final String EDUCATION = "education";
  private static final String OCCUPATION = "occupation";
  private static final String RELATIONSHIP = "relationship";
  private static final String MARITAL_STATUS = "marital_status";
  private static final String WORKCLASS = "workclass";
  private static final String COUNTRY = "native_country";

  /** All features, in the order of the files. */
  static final List<String> NAMES =
      List.of(
          AGE,
          WORKCLASS,
          WEIGHT,
          EDUCATION,
          EDUCATION_NUM,
          MARITAL_STATUS,
          OCCUPATION,
          RELATIONSHIP,
          "race",
          "sex",
          CAPITAL_GAIN,
          CAPITAL_LOSS,
          HOURS,
          COUNTRY);

  private static final Set<String> NUMBERS =
      Set.of(AGE, WEIGHT, EDUCATION_NUM, CAPITAL_GAIN, CAPITAL_LOSS, HOURS);

  private static final float[] AGES = {18, 25, 30, 35, 40, 45, 50, 55, 60, 65};
  private static final float[] GAINS = {1, 3000, 4600, 5100, 6000, 7000, 10_000, 15_000};
  private static final float[] LOSSES = {1, 1500, 1800, 1850, 1950, 2000, 2200, 2500};
  private static final float[] WORKING = {20, 30, 39, 41, 45, 50, 60};

  private CensusColumns() {}

  static boolean isNumber(String name) {
    return NUMBERS.contains(name);
  }

  private static CategoricalColumn words(String name) {
    return switch (name) {
      case EDUCATION ->
          categoricalWithVocabularyList(
              name,
              "Bachelors",
              "HS-grad",
              "11th",
              "Masters",
              "9th",
              "Some-college",
              "Assoc-acdm",
              "Assoc-voc",
              "7th-8th",
              "Doctorate",
              "Prof-school",
              "5th-6th",
              "10th",
              "1st-4th",
              "Preschool",
              "12th");
      case MARITAL_STATUS ->
          categoricalWithVocabularyList(
              name,
              "Married-civ-spouse",
              "Divorced",
              "Married-spouse-absent",
              "Never-married",
              "Separated",
              "Married-AF-spouse",
              "Widowed");
      case RELATIONSHIP ->
          categoricalWithVocabularyList(
              name, "Husband", "Not-in-family", "Wife", "Own-child", "Unmarried", "Other-relative");
      case WORKCLASS ->
          categoricalWithVocabularyList(
              name,
              "Self-emp-not-inc",
              "Private",
              "State-gov",
              "Federal-gov",
              "Local-gov",
              "?",
              "Self-emp-inc",
              "Without-pay",
              "Never-worked");
      case "sex" -> categoricalWithVocabularyList(name, "Female", "Male");
      default -> categoricalWithHashBucket(name, 100);
    };
  }

  /** Facts and their combinations, each with a weight of its own. */
  static List<FeatureColumn> wide() {
    CategoricalColumn ages = bucketized(numeric(AGE), AGES);
    CategoricalColumn gains = bucketized(numeric(CAPITAL_GAIN), GAINS);
    return List.of(
        ages,
        gains,
        bucketized(numeric(CAPITAL_LOSS), LOSSES),
        bucketized(numeric(HOURS), WORKING),
        words(EDUCATION),
        words(MARITAL_STATUS),
        words(RELATIONSHIP),
        words(WORKCLASS),
        words(OCCUPATION),
        words("race"),
        words("sex"),
        words(COUNTRY),
        crossed(1000, EDUCATION, OCCUPATION),
        crossed(1000, ages, MARITAL_STATUS),
        crossed(2000, ages, EDUCATION, OCCUPATION));
  }

  /** Numbers of about the same size, and places in spaces of few dimensions. */
  static List<FeatureColumn> deep() {
    return List.of(
        scaled(AGE, 38, 14),
        scaled(EDUCATION_NUM, 10, 2.6f),
        scaled(HOURS, 40, 12),
        logarithmic(CAPITAL_GAIN),
        logarithmic(CAPITAL_LOSS),
        indicator(words(WORKCLASS)),
        indicator(words(EDUCATION)),
        indicator(words(MARITAL_STATUS)),
        indicator(words(RELATIONSHIP)),
        indicator(words("sex")),
        embedding(words(OCCUPATION), 8),
        embedding(words(COUNTRY), 4));
  }

  private static NumericColumn scaled(String name, float mean, float deviation) {
    return numeric(name)
        .withNormalizer(
            (tf, values) -> tf.div(tf.sub(values, tf.constant(mean)), tf.constant(deviation)));
  }

  /** Few have any, and some have much. */
  private static NumericColumn logarithmic(String name) {
    return numeric(name)
        .withNormalizer(
            (tf, values) -> tf.div(tf.log(tf.add(values, tf.constant(1f))), tf.constant(10f)));
  }
}
