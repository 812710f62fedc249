package dev.tributary.app.digits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.app.CommandOutcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Options that would have no effect stop the command before it does anything. */
@Timeout(60)
class DigitsModeTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --ps_hosts localhost:1                 | --ps_hosts has no effect without --job_name
          --worker_hosts=localhost:1             | --worker_hosts has no effect without --job_name
          --cluster {}                           | --cluster has no effect without --job_name
          --task_index 1                         | --task_index has no effect without --job_name
          --task 1                               | --task has no effect without --job_name
          --insecure                             | --insecure has no effect without --job_name
          --workers 2 --ps_hosts localhost:1     | --ps_hosts has no effect together with --workers
          --ps 1 --insecure                      | --insecure has no effect together with --ps
          --workers 2 --job_name worker          | --workers has no effect together with --job_name
          --ps 1 --job=worker                    | --ps has no effect together with --job:
          --restart 1 --job=worker               | --restart has no effect together with --job:
          --consistency sync                     | --consistency has no effect without --workers or --job_name
          --sync                                 | --sync has no effect without --workers or --job_name
          --issync 1                             | --issync has no effect without --workers or --job_name
          --tls .                                | --tls has no effect without --workers or --job_name
          --mutual-tls .                         | --mutual-tls has no effect without --workers or --job_name
          --token-file .                         | --token-file has no effect without --workers or --job_name
          --restart 1                            | --restart has no effect without --workers
          --restart -1 --workers 1               | --restart must be 0 or more, got -1
          --threads -1                           | --threads must be 0 to 4096, got -1
          --threads -1 --workers 1               | --threads must be 0 to 4096, got -1
          --save_model_secs 5                    | --save_model_secs has no effect without --logdir
          --ps 1 --consistency sync+backup(2)    | 'sync+backup(2)' needs more workers than backups, got 1
          --rate NaN                             | --rate must be positive, got NaN
          --rate Infinity                        | --rate must be positive, got Infinity
          --evaluate                             | --evaluate needs --logdir
          --predict x.png                        | --predict needs --logdir
          --evaluate --predict x.png --logdir .  | --evaluate has no effect together with --predict
          --evaluate --logdir . --epochs 2       | --epochs has no effect together with --evaluate
          --evaluate --logdir . --workers 2      | --workers has no effect together with --evaluate
          --predict x.png --logdir . --data .    | --data has no effect together with --predict
          --job_name ps                          | which cluster? Give --cluster, or --ps_hosts
          """)
  void digits_optionWithoutEffect_isRefused(String options, String message) {
    CommandOutcome outcome = CommandOutcome.of(("digits " + options).split(" "));

    assertThat(outcome.err()).contains(message);
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
  }

  @Test
  void modes_everyOption_meansSomethingInOne() {
    for (OptionSpec option : new CommandLine(new DigitsCommand()).getCommandSpec().options()) {
      if (!option.usageHelp() && !option.versionHelp()) {
        assertThat(DigitsMode.modesOf(option)).as(option.longestName()).isNotEmpty();
      }
    }
  }
}
