// What the devices of a run sent, were answered and read, in the order in which it happened. It has no sockets and no
// clock, so that the tests of the checker can write histories with every kind of violation.

/// The events of a run, as the devices saw them.
struct FailoverHistory {
  /// A change of a record that a device asked for. A request changes a record once at most.
  struct Write: Hashable, Sendable {
    let id: WriteID
    let kind: Kind

    /// The state that the record has after the write.
    var state: State {
      if case .save(let value, _) = kind { return State(write: id, value: value) }
      return State(write: id, value: nil)
    }
  }

  /// Where a write belongs: devices and zones have numbers.
  struct WriteID: Hashable, Sendable, CustomStringConvertible {
    let device: Int
    let request: Int64
    let zone: Int
    let record: String

    var description: String { "request \(request) of device \(device) for \(record)" }
  }

  /// What a write does, and the state of the record that it requires.
  enum Kind: Hashable, Sendable {
    case save(String, after: Precondition)
    case deletion(after: Precondition)
  }

  /// The state in which the broker must find a record.
  enum Precondition: Hashable, Sendable {
    case any
    case absent
    case tag(Int64)
  }

  /// A state of a record; the value is `nil` after a deletion.
  struct State: Hashable, Sendable {
    let write: WriteID
    let value: String?
  }

  /// The result of a write.
  enum Result: Hashable, Sendable {
    /// The revision that it made; `nil` if it changed nothing.
    case committed(Int64?)
    /// The broker had another state of the record.
    case conflict
    /// The account may not write to the zone.
    case denied
    /// Another write of the group failed.
    case dropped
  }

  /// A part of a zone's feed.
  struct Page: Hashable, Sendable {
    let zone: Int
    let from: Int64
    let to: Int64
    /// Whether it is a commit, and not a page of stored records.
    let isLive: Bool
    /// The states by ascending revision.
    let states: [Tagged]
  }

  /// A state with its revision.
  struct Tagged: Hashable, Sendable {
    let tag: Int64
    let state: State
  }

  /// A notification of a change.
  struct Notice: Hashable, Sendable {
    let number: Int64
    /// The number of the device's notification before it.
    let predecessor: Int64
    let zone: Int
    let record: String
    let tag: Int64
  }

  /// One event.
  enum Event: Hashable, Sendable {
    /// A device sends a write for the first time.
    case sent(Write)
    case answered(WriteID, Result)
    /// A broker welcomes a device and says up to which number it has outcomes, and the directory's revision.
    case welcomed(device: Int, broker: Int, lastRequest: Int64, directory: Int64)
    /// A device asks for a zone from its position on, on a new connection.
    case attached(device: Int, zone: Int)
    case read(device: Int, Page)
    case live(device: Int, zone: Int, head: Int64)
    /// The broker ends a feed; `isExpired` if the position was invalid, otherwise because the account has no access.
    case reset(device: Int, zone: Int, isExpired: Bool)
    /// A device asks for the removal of an account from a zone for the first time.
    case removing(account: Int, zone: Int)
    /// The removal is acknowledged.
    case removed(account: Int, zone: Int)
    /// A device gets a page of its notifications. From the first one on, the broker notifies it.
    case following(device: Int)
    case notified(device: Int, Notice)
    /// The broker has replaced the notifications up to one by a number of them.
    case collapsed(device: Int, last: Int64)
    /// A new device's read of the whole zone through a broker, after all faults.
    case finalRead(broker: Int, zone: Int, head: Int64, [Tagged])
  }

  /// The account of each device.
  let accounts: [Int]
  private(set) var events: [Event] = []

  /// Begins a history.
  init(accounts: [Int]) {
    self.accounts = accounts
  }

  /// Adds what happened last.
  mutating func add(_ event: Event) {
    events.append(event)
  }
}
