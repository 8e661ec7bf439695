import Logging

/// The metadata of one log event as text, sorted by key. Later layers override earlier ones: the provider's
/// metadata, the logger's, then the event's. Both log handlers use it.
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
  /// The syslog priority, which the journal stores.
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
