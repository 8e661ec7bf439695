import Records

/// Why a device is not live.
struct DriverFailures: Hashable, Sendable {
  /// The last failure of the device's database.
  var store: StoreError?
  /// Why the last connection to the broker ended, or could not be opened.
  var connection: RecordsError?
}
