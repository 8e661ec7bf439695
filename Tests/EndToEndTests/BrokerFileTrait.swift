import Processes
import Testing

extension Trait where Self == ConditionTrait {
  /// For tests that read or change the file of a broker's records, which a broker on PostgreSQL has not.
  static var readsBrokerFile: Self {
    .enabled(if: BrokerStoreKind.ofThisRun == .sqlite, "The broker's records are not in a file.")
  }
}
