import FoundationEssentials
import Records

/// The machine's clock. Times are only shown and compared with retention periods; a wrong clock changes no order.
package enum SystemClock {
  /// Returns the current time.
  package static func now() -> Timestamp {
    Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
  }
}
