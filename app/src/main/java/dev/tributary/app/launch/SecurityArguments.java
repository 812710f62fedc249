package dev.tributary.app.launch;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.session.ChannelSecurity;
import dev.tributary.session.JobToken;
import dev.tributary.session.TlsFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How a command line tells whom to trust. */
public final class SecurityArguments {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--tls",
      paramLabel = "DIR",
      description = {
        "Speak TLS, with the files that 'tributary certs DIR' makes.",
        "Callers know the server then, not the server its callers."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> tls = Optional.empty();

  @Option(
      names = "--mutual-tls",
      paramLabel = "DIR",
      description = "The same, and a server turns away callers without a certificate of DIR's.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> mutualTls = Optional.empty();

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = {
        "A secret of 16 characters or more that all tasks and clients of the job share.",
        "Without TLS it crosses the network in clear text."
      },
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> tokenFile = Optional.empty();

  public ChannelSecurity ofTask(TaskName task) {
    return withToken(
        certificates()
            .map(files -> files.ofTask(task))
            .map(files -> mutualTls.isPresent() ? files.withMutual() : files));
  }

  public ChannelSecurity ofClient() {
    return withToken(certificates().map(CertificateFolder::ofClient));
  }

  /** The same settings for another process. */
  public List<String> toArguments() {
    List<String> arguments = new ArrayList<>();
    tls.ifPresent(folder -> arguments.addAll(List.of("--tls", folder.toString())));
    mutualTls.ifPresent(folder -> arguments.addAll(List.of("--mutual-tls", folder.toString())));
    tokenFile.ifPresent(file -> arguments.addAll(List.of("--token-file", file.toString())));
    return arguments;
  }

  private Optional<CertificateFolder> certificates() {
    if (tls.isPresent() && mutualTls.isPresent()) {
      throw new ParameterException(
          command.commandLine(), "--mutual-tls says all that --tls says, and more: use one");
    }
    return mutualTls.or(() -> tls).map(CertificateFolder::new);
  }

  private ChannelSecurity withToken(Optional<TlsFiles> files) {
    return new ChannelSecurity(files, tokenFile.map(JobToken::read));
  }
}
