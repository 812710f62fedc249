package dev.tributary.app.launch;

import dev.tributary.cluster.certs.CertificateFolder;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.error.TributaryException;
import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import dev.tributary.security.TlsFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for encryption and authentication. */
@Command(optionListHeading = "Security:")
public final class SecurityArguments {
  private static final String TOKEN_FILE = "--token-file";
  private static final String ADMIN_TOKEN_FILE = "--admin-token-file";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--tls",
      paramLabel = "DIR",
      description =
          "Encrypt connections with TLS, using the files that 'tributary certs DIR' writes."
              + " Clients verify the server; the server does not verify its clients.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> tls = Optional.empty();

  @Option(
      names = "--mutual-tls",
      paramLabel = "DIR",
      description =
          "Encrypt connections with TLS, using the files that 'tributary certs DIR' writes."
              + " Both sides verify each other: callers without a certificate of DIR's authority"
              + " are refused.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> mutualTls = Optional.empty();

  @Option(
      names = TOKEN_FILE,
      paramLabel = "FILE",
      description =
          "File with a secret of 16 characters or more that all tasks and clients share; callers"
              + " without it are refused. Without TLS it crosses the network in clear text.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> tokenFile = Optional.empty();

  @Option(
      names = ADMIN_TOKEN_FILE,
      paramLabel = "FILE",
      description =
          "File with a second secret, for calls that end the work of others: resets, and the end of"
              + " a parameter server. Tasks need it, and clients that reset; without it any caller"
              + " that is let in may make these calls.",
      showDefaultValue = Visibility.NEVER)
  private Optional<Path> adminTokenFile = Optional.empty();

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
    tokenFile.ifPresent(file -> arguments.addAll(List.of(TOKEN_FILE, file.toString())));
    adminTokenFile.ifPresent(file -> arguments.addAll(List.of(ADMIN_TOKEN_FILE, file.toString())));
    return arguments;
  }

  private Optional<CertificateFolder> certificates() {
    if (tls.isPresent() && mutualTls.isPresent()) {
      throw new ParameterException(
          command.commandLine(), "--mutual-tls includes --tls: use one of them");
    }
    return mutualTls.or(() -> tls).map(CertificateFolder::new);
  }

  private ChannelSecurity withToken(Optional<TlsFiles> files) {
    files.ifPresent(this::requireReadable);
    return new ChannelSecurity(
        files,
        tokenFile.map(file -> token(TOKEN_FILE, file)),
        adminTokenFile.map(file -> token(ADMIN_TOKEN_FILE, file)));
  }

  private void requireReadable(TlsFiles files) {
    Stream<Path> own =
        files.identity().stream()
            .flatMap(identity -> Stream.of(identity.certificate(), identity.privateKey()));
    Stream.concat(Stream.of(files.authorities()), own)
        .filter(file -> !Files.isReadable(file))
        .findFirst()
        .ifPresent(
            file -> {
              throw TributaryException.failedPrecondition(
                  "%s: cannot read %s: %s; 'tributary certs' writes it",
                  mutualTls.isPresent() ? "--mutual-tls" : "--tls",
                  file,
                  Files.exists(file) ? "permission denied" : "no such file");
            });
  }

  private static JobToken token(String option, Path file) {
    try {
      return JobToken.read(file);
    } catch (TributaryException e) {
      throw e.at(option);
    }
  }
}
