package dev.tributary.cluster.internal.rpc;

import dev.tributary.cluster.spec.HostAndPort;
import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/**
 * Looks up the hosts of channels. gRPC's own resolver reports an unknown name as a failure of the
 * resolution, and gRPC then logs a warning with a stack trace for each attempt. Here an unknown
 * name is an address that cannot be connected to: calls fail, or wait, as they do for any host that
 * is down, and nothing is logged. Immutable.
 */
final class HostNames extends NameResolverProvider {
  private static final String SCHEME = "tributary-host";

  /** Below that of DNS, whose scheme other channels of this process take if they name none. */
  private static final int LOW_PRIORITY = 1;

  static {
    NameResolverRegistry.getDefaultRegistry().register(new HostNames());
  }

  private HostNames() {}

  /** The target of a channel to an address. */
  static String target(HostAndPort address) {
    try {
      return new URI(SCHEME, "", "/" + address, null).toString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(address.toString(), e);
    }
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return LOW_PRIORITY;
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  public NameResolver newNameResolver(URI target, NameResolver.Args arguments) {
    return SCHEME.equals(target.getScheme())
        ? new Resolver(
            HostAndPort.parse(target.getPath().substring(1)), arguments.getOffloadExecutor())
        : null;
  }

  /** Resolves one address, whenever its channel asks. gRPC calls it from one thread at a time. */
  private static final class Resolver extends NameResolver {
    private final HostAndPort address;
    private final Executor executor;
    private Listener listener;
    private volatile boolean closed;

    Resolver(HostAndPort address, Executor executor) {
      this.address = address;
      this.executor = executor;
    }

    @Override
    public String getServiceAuthority() {
      return address.toString();
    }

    @Override
    public void start(Listener newListener) {
      listener = newListener;
      refresh();
    }

    @Override
    public void refresh() {
      Listener receiver = listener;
      executor.execute(
          () -> {
            List<EquivalentAddressGroup> addresses = lookUp();
            if (!closed) {
              receiver.onAddresses(addresses, Attributes.EMPTY);
            }
          });
    }

    private List<EquivalentAddressGroup> lookUp() {
      try {
        return Stream.of(InetAddress.getAllByName(address.host()))
            .map(found -> new InetSocketAddress(found, address.port()))
            .map(EquivalentAddressGroup::new)
            .toList();
      } catch (UnknownHostException e) {
        return List.of(
            new EquivalentAddressGroup(
                InetSocketAddress.createUnresolved(address.host(), address.port())));
      }
    }

    @Override
    public void shutdown() {
      closed = true;
    }
  }
}
