import NIOCore
import Records
import RecordsWire
import Synchronization

@testable import BrokerLinks

/// The events of a link, and what is done within one of them.
final class EventLog: Sendable {
  private struct State {
    var frames: [UInt64] = []
    var closings: [RecordsError?] = []
    var rooms = 0
    var link: (any BrokerLink)?
  }

  private let state = Mutex(State())
  private let within: @Sendable (UInt64, any BrokerLink) -> Void

  init(within: @escaping @Sendable (UInt64, any BrokerLink) -> Void = { _, _ in }) {
    self.within = within
  }

  /// The numbers of the frames received.
  var frames: [UInt64] { state.withLock { $0.frames } }
  /// The reasons of the ends, of which there must be one.
  var closings: [RecordsError?] { state.withLock { $0.closings } }
  /// How often the link reported that it has room again.
  var rooms: Int { state.withLock { $0.rooms } }
  var link: (any BrokerLink)? { state.withLock { $0.link } }

  func receive(_ event: LinkEvent) {
    switch event {
    case .opened(let link): state.withLock { $0.link = link }
    case .received(let frame):
      let link = state.withLock { state in
        state.frames.append(frame.replyTo)
        return state.link
      }
      if let link { within(frame.replyTo, link) }
    case .receiving: break
    case .writable: state.withLock { $0.rooms += 1 }
    case .closed(let reason): state.withLock { $0.closings.append(reason) }
    }
  }
}
