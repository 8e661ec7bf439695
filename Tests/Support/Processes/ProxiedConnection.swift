import Glibc
import Synchronization

/// A connection of a client to a server through a proxy.
final class ProxiedConnection {
  private let client: UnixSocket
  private let server: UnixSocket
  private var fromClient = MessageScanner(isClient: true)
  private var fromServer = MessageScanner(isClient: false)
  private var toClient: [UInt8] = []
  private var toServer: [UInt8] = []
  /// Whether the client sends the COMMIT at which the connection is to be cut.
  private var commitPlace: CuttingProxy.CommitPlace?
  /// Whether only what the server has not read yet is still passed on.
  private var isCut = false
  /// Whether the server's answers go nowhere, until the one to the COMMIT has come.
  private var isAnswerAwaited = false
  /// Whether nothing is passed on any more, although the connection stays open.
  private var isSilent = false
  private(set) var isOver = false

  init(client: UnixSocket, server: UnixSocket) {
    self.client = client
    self.server = server
  }

  /// The sockets, with what to wait for.
  var awaited: [pollfd] {
    [
      pollfd(fd: client.descriptor, events: events(for: toClient), revents: 0),
      pollfd(fd: server.descriptor, events: events(for: toServer), revents: 0),
    ]
  }

  private func events(for waiting: [UInt8]) -> Int16 {
    Int16(waiting.isEmpty ? POLLIN : POLLIN | POLLOUT)
  }

  /// Passes on what has come and cuts the connection if it is ordered.
  func pass(_ orders: SharedOrders) {
    guard !isOver else { return }
    let isEnd = !receiveFromClient(orders) || !receiveFromServer(orders)
    let isFailed = !send(&toServer, to: server) || !send(&toClient, to: client)
    if isEnd || isFailed || (isCut && toServer.isEmpty && !isAnswerAwaited) { close() }
  }

  /// Ends it.
  func close() {
    client.close()
    server.close()
    isOver = true
  }

  private func receiveFromClient(_ orders: SharedOrders) -> Bool {
    guard let bytes = client.receiveSome() else { return false }
    guard !bytes.isEmpty else { return true }
    var action: (@Sendable () -> Void)?
    orders.value.withLock { orders in
      for message in fromClient.add(bytes) where !isCut && !isSilent {
        isSilent = orders.notificationFault == .unanswered && message.isNotify
        if !isSilent { pass(message, &orders) }
        orders.messageCount += 1
        if let next = orders.action, orders.messageCount > next.messagesBefore {
          action = next.call
          orders.action = nil
        }
      }
    }
    action?()
    return true
  }

  private func receiveFromServer(_ orders: SharedOrders) -> Bool {
    guard let bytes = server.receiveSome() else { return false }
    guard !bytes.isEmpty else { return true }
    let messages = fromServer.add(bytes)
    if isAnswerAwaited, messages.contains(where: \.isReady) { isAnswerAwaited = false }
    guard !isCut, !isSilent else { return true }
    let losesNotifications = orders.value.withLock { $0.notificationFault == .lost }
    for message in messages where !losesNotifications || !message.isNotification {
      toClient += message.bytes
    }
    return true
  }

  private func pass(_ message: MessageScanner.Message, _ orders: inout CuttingProxy.Orders) {
    if message.isCommit { meetCommit(&orders) }
    if !isCut, case .message(let count, let place) = orders.cut, count == orders.messageCount {
      switch place {
      case .before: break
      case .inside: toServer += message.bytes.prefix(message.bytes.count / 2)
      case .after: toServer += message.bytes
      }
      cut(&orders)
    }
    guard !isCut else { return }
    toServer += message.bytes
    guard let place = commitPlace, message.isSync else { return }
    isAnswerAwaited = place == .answered
    cut(&orders)
  }

  private func meetCommit(_ orders: inout CuttingProxy.Orders) {
    defer { orders.commitCount += 1 }
    guard case .commit(let count, let place) = orders.cut, count == orders.commitCount else {
      return
    }
    if place == .before { cut(&orders) } else { commitPlace = place }
  }

  private func cut(_ orders: inout CuttingProxy.Orders) {
    isCut = true
    toClient = []
    orders.cut = nil
    orders.isCut = true
  }

  /// Returns `false` if the peer has closed the connection.
  private func send(_ bytes: inout [UInt8], to peer: UnixSocket) -> Bool {
    guard !bytes.isEmpty else { return true }
    guard let count = peer.sendSome(bytes[...]) else { return false }
    bytes.removeFirst(count)
    return true
  }
}
