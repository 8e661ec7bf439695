// What a log event says beside its message: the logger's metadata, the provider's and the event's
// own, the later ones winning. Both outputs, the journal and lines on stderr, are made from this.

import Logging

/// The metadata of one event, flattened, in the order of its keys.
struct LogFields: Sendable {
  let all: [(key: String, value: String)]

  init(_ layers: Logger.Metadata?...) {
    let merged = layers.compactMap { $0 }.reduce(into: Logger.Metadata()) { result, layer in
      result.merge(layer) { _, later in later }
    }
    all = merged.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
  }
}

extension Logger.Level {
  /// The level as syslog numbers it, as the journal keeps it.
  var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
