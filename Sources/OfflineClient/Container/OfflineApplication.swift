// The application that a replica gets from a configuration: its rules and projections.

import BrokerClient
import DeviceStore
import GRDB
import Predicates
import RecordQueries
import Records

extension OfflineConfiguration {
  /// The application of the replica.
  /// - Throws: `invalidArguments` for a malformed index or name; `limitExceeded` for too many indexes.
  func application() throws(RecordsError) -> Application {
    var declared: [DeclaredIndex] = []
    for index in indexes { declared.append(try DeclaredIndex(index)) }
    return Application(
      rules: try rules(),
      projections: [
        try RecordIndex(declared), EagerAssets(byteCountMaximum: downloadedAssetBytes),
      ])
  }

  private func rules() throws(RecordsError) -> ApplicationRules {
    var rules = ApplicationRules()
    for (type, key) in titleFields {
      let key = try FieldKey(key)
      rules.titles[try RecordType(type)] = { _, fields in
        if case .string(let title) = fields[key] { title } else { "" }
      }
    }
    for type in publicTypes {
      rules.publicTypes.append(try RecordType(type))
    }
    rules.checks.append(RecordIndex.findings)
    rules.ownSubscriptions = try publicSubscriptions()
    return rules
  }

  /// The subscriptions that report every change of the public types to the account's devices.
  private func publicSubscriptions() throws(RecordsError) -> [SubscriptionForm] {
    var notification = NotificationForm()
    notification.isContentAvailable = true
    var forms: [SubscriptionForm] = []
    for type in publicTypes {
      forms.append(
        SubscriptionForm(
          id: try SubscriptionID("offline-\(type)"), database: .public,
          kind: .query(
            type: try RecordType(type), predicate: PredicateText("TRUEPREDICATE"), zone: nil),
          options: [.creation, .update, .deletion], notification: notification))
    }
    return forms
  }
}

/// Has small files downloaded with their records. It has no tables.
final class EagerAssets: Projection {
  private let byteCountMaximum: Int

  init(byteCountMaximum: Int) {
    self.byteCountMaximum = byteCountMaximum
  }

  func apply(_ record: ProjectedRecord, in transaction: DeviceTransaction) throws {}
  func remove(record: Int64, _ db: GRDB.Database) throws {}
  func remove(zone: Int64, _ db: GRDB.Database) throws {}
  func removeAll(_ db: GRDB.Database) throws {}

  func wants(
    _ asset: Records.Asset, of record: ProjectedRecord, in transaction: DeviceTransaction
  ) throws -> Bool {
    asset.byteCount <= byteCountMaximum
  }
}
