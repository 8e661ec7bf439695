// Which of the assets that a request names its records may name. Gathered only for a request that
// names any, inside the transaction, so that a file collected a moment ago is not taken for there.

import Records

/// The assets that may be named, zone by zone.
package struct GatheredAssets: Sendable {
  /// Those the account holds or the zone's records name already, of those the request names.
  private let available: [ZoneID: Set<Asset>]

  /// What was gathered; a zone that is not in it has none.
  package init(available: [ZoneID: Set<Asset>]) {
    self.available = available
  }

  /// Refuses a save that names what is not there: no record ever points at bytes that are missing.
  func check(_ save: Operation.Save, in zone: ZoneID) throws(OperationFailure) {
    for asset in save.fields.assets where available[zone]?.contains(asset) != true {
      throw OperationFailure(
        error: RecordsError(
          .assetNotAvailable,
          "Record \(save.name) names the file \(asset.id), which this account has not sent.",
          hint: "Offer the file, send it, then save the record.", record: save.name))
    }
  }
}
