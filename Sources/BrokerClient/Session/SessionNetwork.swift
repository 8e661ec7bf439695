import BrokerLinks
import NIOCore
import Synchronization

/// Tells the sessions of a container that the network has changed. The sessions keep it.
final class SessionNetwork: Sendable {
  private let loop: any EventLoop
  private let sessions: WeakSessions
  private let watch: NetworkWatch

  /// Starts to watch the network.
  init(loop: any EventLoop) {
    let sessions = WeakSessions()
    let watch = NetworkWatch(loop: loop) { sessions.networkChanged() }
    loop.execute { watch.assumeIsolated { $0.start() } }
    self.loop = loop
    self.sessions = sessions
    self.watch = watch
  }

  deinit {
    loop.execute { [watch] in watch.assumeIsolated { $0.stop() } }
  }

  /// Tells `session` too.
  func add(_ session: Session) { sessions.add(session) }
}

private final class WeakSessions: Sendable {
  private struct Member {
    weak var session: Session?
  }

  private let members = Mutex<[Member]>([])

  func add(_ session: Session) {
    members.withLock { members in
      members.removeAll { $0.session == nil }
      members.append(Member(session: session))
    }
  }

  func networkChanged() {
    for session in members.withLock({ $0.compactMap(\.session) }) { session.reportNetworkChange() }
  }
}
