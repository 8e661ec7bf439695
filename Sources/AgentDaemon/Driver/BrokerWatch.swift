// Notices the broker's socket the moment it is made, so that a device is back as soon as its
// broker is and not when a back-off runs out. The socket's directory is watched with inotify; while
// that is not there either, its nearest parent is.

import Glibc
import NIOCore
import NIOPosix

/// Watches for a socket to be made.
final class BrokerWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let interests =
    UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF)
    | UInt32(IN_MOVE_SELF)
  // A socket exists from bind(2) on but answers from listen(2) on only.
  private static let secondLooks = [TimeAmount.milliseconds(20), .milliseconds(200)]

  private let path: String
  private let file: CInt
  private let appeared: @Sendable () -> Void
  private var watch: CInt = -1

  private init(path: String, file: CInt, appeared: @escaping @Sendable () -> Void) {
    self.path = path
    self.file = file
    self.appeared = appeared
  }

  /// Begins to watch `path` on `loop`, where `appeared` is called whenever the socket may have
  /// been made, sometimes for nothing. Closing the channel ends the watch.
  /// - Throws: an `IOError` when the system has no watches left.
  static func start(
    path: String, on loop: any EventLoop, appeared: @escaping @Sendable () -> Void
  ) -> EventLoopFuture<any Channel> {
    let file = inotify_init1(CInt(IN_CLOEXEC) | CInt(IN_NONBLOCK))
    guard file >= 0 else {
      return loop.makeFailedFuture(IOError(errnoCode: errno, reason: "inotify_init1"))
    }
    return NIOPipeBootstrap(group: loop)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            BrokerWatch(path: path, file: file, appeared: appeared))
        }
      }
      .takingOwnershipOfDescriptor(input: file)
      .map { $0 as any Channel }
  }

  func channelActive(context: ChannelHandlerContext) {
    look(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What exactly happened does not matter: looking tells.
    look(context)
  }

  /// Sets the watch anew, which costs nothing when it stands, and only then looks for the socket:
  /// one made between the two is seen by the watch.
  private func look(_ context: ChannelHandlerContext) {
    setWatch()
    guard access(path, F_OK) == 0 else { return }
    let appeared = appeared
    appeared()
    for delay in Self.secondLooks {
      context.eventLoop.scheduleTask(in: delay) { appeared() }
    }
  }

  /// Watches the nearest directory there is. One that is made deeper down while its parent's watch is
  /// being set is told by nobody, so after a parent the way down is tried again.
  private func setWatch() {
    var parentWatch: CInt = -1
    while true {
      let set = nearestWatch()
      guard set.watch >= 0 else { return }
      if watch >= 0, set.watch != watch { inotify_rm_watch(file, watch) }
      watch = set.watch
      guard !set.isOwn, set.watch != parentWatch else { return }
      parentWatch = set.watch
    }
  }

  /// The watch of the socket's directory, or of its nearest parent; negative where none can be set.
  private func nearestWatch() -> (watch: CInt, isOwn: Bool) {
    let own = Self.parent(of: path)
    var directory = own
    while true {
      let set = inotify_add_watch(file, directory, Self.interests | UInt32(IN_ONLYDIR))
      if set >= 0 || directory == "/" || directory == "." { return (set, directory == own) }
      directory = Self.parent(of: directory)
    }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
