package dev.tributary.cluster.internal.rpc;

import dev.tributary.security.ChannelSecurity;
import dev.tributary.security.JobToken;
import dev.tributary.security.TlsFiles;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The procedures that end the work of others: {@code Reset}, {@code CleanupAll} and {@code
 * TaskCompleted}, by which a parameter server ends. A server may keep them for callers that show an
 * admin token, in the header {@code tributary-admin-token}, or a certificate with the role of an
 * admin or a task. Immutable.
 *
 * @param token what callers may show, if there is one
 * @param certificates whether they may show a certificate with a role
 */
record AdminCalls(Optional<JobToken> token, boolean certificates) implements ServerInterceptor {
  /** By name: clients and servers have descriptors of their own for a procedure. */
  private static final Set<String> METHODS =
      Set.of(
          MasterService.RESET.method().getFullMethodName(),
          WorkerService.CLEANUP_ALL.method().getFullMethodName(),
          TaskService.TASK_COMPLETED.method().getFullMethodName());

  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("tributary-admin-token", Metadata.ASCII_STRING_MARSHALLER);

  /** The attribute of a certificate's subject that holds the role, as {@code certs} writes it. */
  private static final String ROLE_ATTRIBUTE = "OU";

  private static final Set<String> ROLES = Set.of("admin", "task");

  /** The rules of a server; empty if it takes these calls from every caller. */
  static Optional<AdminCalls> of(ChannelSecurity security) {
    boolean certificates = security.tls().map(TlsFiles::adminRole).orElse(false);
    return security.adminToken().isPresent() || certificates
        ? Optional.of(new AdminCalls(security.adminToken(), certificates))
        : Optional.empty();
  }

  /** Adds a token to the headers of a call, if it is one of these procedures. */
  static void addTo(Metadata headers, MethodDescriptor<?, ?> method, JobToken token) {
    if (METHODS.contains(method.getFullMethodName())) {
      headers.put(TOKEN, token.secret());
    }
  }

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (!METHODS.contains(call.getMethodDescriptor().getFullMethodName())
        || hasToken(headers)
        || certificates && hasRole(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION))) {
      return next.startCall(call, headers);
    }
    return RefusedCalls.refuse(
        call,
        Status.PERMISSION_DENIED.withDescription(
            call.getMethodDescriptor().getBareMethodName()
                + " ends the work of others, and this server takes it from an admin only: show "
                + accepted()));
  }

  private boolean hasToken(Metadata headers) {
    String shown = headers.get(TOKEN);
    return shown != null && token.isPresent() && token.get().matches(shown);
  }

  private String accepted() {
    String byToken = "its admin token (ChannelSecurity.withAdminToken, --admin-token-file)";
    String byCertificate = "a certificate with the role admin ('tributary certs' writes admin.pem)";
    if (token.isEmpty()) {
      return byCertificate;
    }
    return certificates ? byToken + " or " + byCertificate : byToken;
  }

  private static boolean hasRole(SSLSession session) {
    if (session == null) {
      return false;
    }
    try {
      Principal subject = session.getPeerPrincipal();
      return new LdapName(subject.getName()).getRdns().stream().anyMatch(AdminCalls::isAccepted);
    } catch (SSLPeerUnverifiedException | InvalidNameException e) {
      return false; // It has shown none, or one that 'tributary certs' did not write.
    }
  }

  private static boolean isAccepted(Rdn attribute) {
    return attribute.getType().equalsIgnoreCase(ROLE_ATTRIBUTE)
        && ROLES.contains(String.valueOf(attribute.getValue()));
  }
}
