import PostgreSQLStores
import PredicateWorld
import Processes

/// What goes wrong while a batch of requests is carried out.
enum Fault: Hashable {
  case nothing
  /// A connection is cut, and new ones are refused for a number of milliseconds.
  case cut(CuttingProxy.Cut, refusalMilliseconds: Int)
  /// The server ends a broker's connections at a message.
  case termination(Int)
  /// The waits for a standby that never answers are cancelled, or ended with their connection.
  case standby(count: Int, endsConnections: Bool)
  /// The server is restarted, or killed and started, at a message.
  case restart(Int)
  case kill(Int)

  /// The kind of fault, for figures.
  var name: String {
    switch self {
    case .nothing: "none"
    case .cut(.message(_, let place), _): "cut \(place) a message"
    case .cut(.commit(_, let place), _): "cut \(place) COMMIT"
    case .termination: "connection ended by the server"
    case .standby: "cancelled wait for the standby"
    case .restart: "restart"
    case .kill: "kill"
    }
  }

  /// Chooses a fault. A message is one of the first hundred or so of a batch.
  init(using generator: inout SeededGenerator) {
    let message = generator.below(generator.percent(50) ? 30 : 150)
    let refusal = generator.percent(20) ? generator.below(30) : 0
    switch generator.below(100) {
    case 0..<30: self = .nothing
    case 30..<60:
      let place = generator.one(of: CuttingProxy.Place.allCases)
      self = .cut(.message(message, place), refusalMilliseconds: refusal)
    case 60..<83:
      let place = generator.one(of: CuttingProxy.CommitPlace.allCases)
      self = .cut(.commit(generator.below(2), place), refusalMilliseconds: refusal)
    case 83..<89: self = .termination(message)
    case 89..<95:
      self = .standby(count: 1 + generator.below(3), endsConnections: generator.percent(30))
    case 95..<98: self = .restart(message)
    default: self = .kill(message)
    }
  }
}

extension FaultWorld {
  /// Makes a fault happen while `body` runs. Returns whether it happened.
  func suffer(_ fault: Fault, in database: String, _ body: () -> Void) -> Bool {
    let occurrence = Occurrence()
    switch fault {
    case .nothing: break
    case .cut(let cut, let refusal):
      proxy.arm(cut)
      if refusal > 0 { proxy.refuse(for: .milliseconds(refusal)) }
    case .termination(let message):
      proxy.call(after: message) {
        occurrence.begin { try self.server.endConnections(to: database) }
      }
    case .standby(let count, let endsConnections):
      let isOver = Flag()
      occurrence.begin {
        try self.refuseConfirmations(
          count, endsConnections: endsConnections, until: isOver)
      }
      body()
      isOver.set()
      return occurrence.wait()
    case .restart(let message):
      proxy.call(after: message) {
        occurrence.begin {
          try self.server.stop()
          try await self.server.start()
        }
      }
    case .kill(let message):
      proxy.call(after: message) {
        occurrence.begin {
          try await self.server.kill()
          try await self.server.start()
        }
      }
    }
    body()
    let isCut = proxy.disarm()
    return occurrence.wait() || isCut
  }

  /// Demands a standby that does not exist, and ends a number of waits for it.
  private func refuseConfirmations(
    _ count: Int, endsConnections: Bool, until isOver: Flag
  ) throws {
    try server.set("synchronous_standby_names", to: "missing")
    try server.endStandbyWaits(count, endsConnections: endsConnections) { isOver.isSet }
    try server.set("synchronous_standby_names", to: nil)
  }
}
