// A device's notifications as an asynchronous sequence, over lost connections.

import Records

/// What a device is told, in order, until the loop is left. See `Container.notifications(after:)`.
///
/// The broker sends at most 256 that are not acknowledged; beyond that, and beyond what the loop has
/// not taken, they wait on the broker's disk, and more than 1,000 of them are folded into
/// `Notification.collapsed`. Nothing is dropped without being told. One loop at a time.
public final class Notifications: AsyncSequence, Sendable {
  /// What is told.
  public typealias Element = Notification
  /// What ends the loop.
  public typealias Failure = RecordError

  private let source: StreamSource

  init(_ source: StreamSource) {
    self.source = source
  }

  /// Says that everything up to `number` is taken in: the broker may forget it. Call it after what
  /// was done about the notifications is safe; what is not acknowledged comes again to whoever
  /// asks next. Returns at once; one that is lost with a connection only costs a repetition.
  public func acknowledge(through number: NotificationNumber) async {
    await source.acknowledge(through: number.stored)
  }

  /// Walks over what comes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: StreamSource
    private var waiting: ArraySlice<Notification> = []

    init(_ source: StreamSource) {
      self.source = source
    }

    /// The next notification; `nil` when the task is cancelled or the container closed.
    /// - Throws: `notAuthenticated`, `permissionFailure`, `incompatibleVersion` where coming back
    ///   does not help. Lost connections are not told.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordError) -> Notification? {
      while true {
        if let first = waiting.popFirst() { return first }
        guard let (message, account) = try await source.next() else { return nil }
        guard case .notifications(let page) = message else { continue }
        waiting = try Self.notifications(of: page, account: account)
      }
    }

    private static func notifications(
      of page: NotificationPage, account: AccountID
    ) throws(RecordError) -> ArraySlice<Notification> {
      var all = page.collapsed.map {
        Notification.collapsed(CollapsedNotifications($0, account: account))
      }
      for notification in page.notifications {
        all.append(.changed(try RecordNotification(notification, account: account)))
      }
      return all[...]
    }
  }

  /// Begins to walk.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source) }
}
