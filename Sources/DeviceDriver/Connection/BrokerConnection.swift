// The connection to the broker, and what arrived on it and is not stored yet. Each attempt to connect has a number,
// by which late events and results of earlier connections are recognized.

import BrokerLinks
import DeviceStore
import Logging
import NIOCore
import Records
import RecordsWire

/// The connection of a driver.
///
/// NB: a class, because a link may report its end from within `send`, `close` or `open`. The driver then reads this
/// object again, which Swift forbids for a structure that is being changed.
final class BrokerConnection {
  private let connector: (any BrokerConnector)?
  private var link: (any BrokerLink)?
  /// The number of the present attempt to connect. It changes when the connection opens, closes or is lost.
  private(set) var attempt: UInt64 = 0
  /// Frames that arrived on the present connection and are not stored yet.
  var incoming = IncomingFrames()
  /// The preparation of frames on another thread; `nil` if none is under way.
  var preparation: Task<Void, Never>?
  private var isPaused = false
  /// When the last frame arrived.
  private(set) var heardTime = Timestamp(microseconds: 0)

  init(connector: (any BrokerConnector)?) {
    self.connector = connector
  }

  /// Whether there is a connector that knows an address.
  var isPossible: Bool { connector?.hasAddress ?? false }
  /// Whether the connection is open.
  var isOpen: Bool { link != nil }

  /// Starts an attempt to connect. `receive` gets the events, with the number of the attempt.
  func open(_ receive: @escaping @Sendable (LinkEvent, UInt64) -> Void) {
    guard let connector else { return }
    beginAttempt()
    let number = attempt
    connector.connect { receive($0, number) }
  }

  /// Uses an open link.
  func opened(_ link: any BrokerLink) { self.link = link }

  /// Sends a message. Nothing is sent without a connection.
  func send(_ id: UInt64, _ message: ClientMessage) {
    guard let link else { return }
    link.send(id, message)
  }

  /// Writes the messages that were sent so far to the socket now.
  func flush() { link?.flush() }

  /// Adds a frame to the inbox. Pauses the connection if the inbox is full.
  /// - Returns: whether the inbox was empty, so that the caller must read it.
  func receive(_ frame: BrokerFrame, at time: Timestamp) -> Bool {
    heardTime = time
    let wasEmpty = incoming.append(frame)
    if incoming.isFull, !isPaused {
      isPaused = true
      link?.pause()
    }
    return wasEmpty
  }

  /// Ends the pause of the connection if the inbox is not full any more.
  func resumeIfRoom() {
    guard isPaused, !incoming.isFull else { return }
    isPaused = false
    link?.resume()
  }

  /// Removes and returns all frames that are not stored yet, and gives up their preparation.
  func takeAll() -> [PreparedFrame] {
    endPreparation()
    return incoming.takeAll()
  }

  /// Closes the connection, or gives up the attempt to open one. Its events are ignored from now on.
  func close() {
    beginAttempt()
    let former = link
    link = nil
    former?.close()
  }

  /// The other end closed the connection, or the attempt failed.
  func lost() {
    beginAttempt()
    link = nil
  }

  private func beginAttempt() {
    attempt += 1
    endPreparation()
    incoming.removeAll()
    isPaused = false
  }

  private func endPreparation() {
    preparation?.cancel()
    preparation = nil
  }
}

extension ReplicaDriver {
  /// Starts an attempt to connect at once if the device is not connected, for example because the broker's socket
  /// appeared or a user asked for it. Does nothing without a broker.
  package func brokerAppeared() {
    guard mayConnect else { return }
    perform(replica.brokerAppeared())
  }

  /// The network changed, or the machine has slept: connects at once, or tests whether the connection still works.
  /// Does nothing without a broker.
  package func networkChanged() {
    guard mayConnect else { return }
    logger.debug("The network has changed")
    perform(replica.networkChanged(now: environment.now()))
  }

  /// Whether there is a broker to connect to. A watch may report one after `stop`, when the database that has the
  /// broker's addresses is being closed.
  private var mayConnect: Bool { !schedule.isEnded && connection.isPossible }

  func connect() {
    guard !schedule.isEnded else { return }
    connection.open { [weak self] event, attempt in
      self?.assumeIsolated { $0.receive(event, attempt: attempt) }
    }
  }

  func receive(_ event: LinkEvent, attempt: UInt64) {
    guard attempt == connection.attempt else {
      // A connection that opened after the attempt was given up.
      if case .opened(let link) = event { link.close() }
      return
    }
    switch event {
    case .opened(let link):
      connection.opened(link)
      act { try replica.connected(now: $0) }
    case .received(let frame):
      guard connection.receive(frame, at: environment.now()) else { return }
      loop.execute { [weak self] in self?.assumeIsolated { $0.readInbox() } }
    case .receiving: act { try replica.heard(now: $0) }
    case .writable:
      // The protocol limits what a replica sends at a time, so the replica does not wait for room.
      break
    case .closed(let reason):
      closed(because: reason, attempt: attempt)
    }
  }

  private func closed(because reason: RecordsError?, attempt: UInt64) {
    // The last frames may say why the broker closed the connection.
    store(connection.takeAll())
    guard attempt == connection.attempt else { return }
    connection.lost()
    if let reason {
      status.disconnected(because: reason)
      logger.debug("The connection to the broker ended", metadata: ["reason": "\(reason)"])
    }
    act { try replica.disconnected(now: $0) }
  }
}
