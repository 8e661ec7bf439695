import Records

/// The notifications of a device, in order and without end. See `Container.notifications(after:)`.
///
/// The sequence reconnects after a lost connection. The broker sends at most 256 notifications after the last
/// acknowledged one, and stores further ones on its disk. When 1,000 are pending, it replaces further ones by
/// `Notification.collapsed`. It never drops notifications silently. The sequence supports one loop at a time.
public final class Notifications: AsyncSequence, Sendable {
  /// A notification.
  public typealias Element = Notification
  /// The error that ends the sequence.
  public typealias Failure = RecordsError

  private let source: StreamSource

  init(_ source: StreamSource) {
    self.source = source
  }

  /// Acknowledges all notifications up to `number`, so that the broker can delete them.
  ///
  /// Handle the notifications and save the results before you acknowledge them, because the broker delivers
  /// only unacknowledged notifications again. The function does not wait for the broker. If the connection is
  /// lost before the acknowledgement reaches the broker, the library sends it again.
  public func acknowledge(through number: NotificationNumber) async {
    await source.acknowledge(through: number)
  }

  /// An iterator over the notifications, which reconnects by itself.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let source: StreamSource
    private var buffer: ArraySlice<Notification> = []

    init(_ source: StreamSource) {
      self.source = source
    }

    /// Waits for the next notification. Returns `nil` if the task is cancelled or the container closed.
    /// - Throws: `notAuthenticated`, `permissionFailure` or `incompatibleVersion`, after which the sequence
    ///   does not reconnect. A lost connection is not an error.
    public mutating func next(
      isolation: isolated (any Actor)? = #isolation
    ) async throws(RecordsError) -> Notification? {
      while true {
        if let first = buffer.popFirst() { return first }
        guard let (message, account) = try await source.next() else { return nil }
        guard case .notifications(let page) = message else { continue }
        buffer = try Self.notifications(of: page, account: account)
      }
    }

    private static func notifications(
      of page: NotificationPage, account: AccountID
    ) throws(RecordsError) -> ArraySlice<Notification> {
      var all = page.collapsed.map {
        Notification.collapsed(CollapsedNotifications($0, account: account))
      }
      for notification in page.notifications {
        all.append(.changed(try RecordNotification(notification, account: account)))
      }
      return all[...]
    }
  }

  /// Returns an iterator that connects when it is first used.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source) }
}
