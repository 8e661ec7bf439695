// Notices the broker's socket when it is created, so that a device connects as soon as its broker runs, and not when
// its next attempt is due. inotify(7) watches the socket's directory, or the nearest parent that exists.

import Glibc
import NIOCore
import NIOPosix

/// Watches for the creation of a socket.
final class BrokerWatch: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private static let interests =
    UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_DELETE_SELF)
    | UInt32(IN_MOVE_SELF)
  // A socket exists after bind(2), but accepts connections only after listen(2).
  private static let repeatedReports = [TimeAmount.milliseconds(20), .milliseconds(200)]

  private let path: String
  private let file: CInt
  private let appeared: @Sendable () -> Void
  private var watch: CInt = -1

  private init(path: String, file: CInt, appeared: @escaping @Sendable () -> Void) {
    self.path = path
    self.file = file
    self.appeared = appeared
  }

  /// Starts to watch `path` on `loop`, where `appeared` is called when the socket may have been created. It can be
  /// called without a reason. Closing the channel ends the watch.
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
    check(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The events are not read: the check finds what changed.
    check(context)
  }

  /// Renews the watch, which is cheap if it is still set, and then checks whether the socket exists. The watch
  /// reports a socket that is created between the two.
  private func check(_ context: ChannelHandlerContext) {
    setWatch()
    guard access(path, F_OK) == 0 else { return }
    let appeared = appeared
    appeared()
    for delay in Self.repeatedReports {
      context.eventLoop.scheduleTask(in: delay) { appeared() }
    }
  }

  /// Watches the nearest directory that exists. No event reports a directory that was created inside a parent while
  /// the parent's watch was being set, so the path is tried again after setting a parent's watch.
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

  /// Sets a watch on the socket's directory, or on its nearest parent; the result is negative if neither is
  /// possible.
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
