// Which of the assets that a request names its records may name. Gathered only for a request that
// names any, inside the transaction, so that a file collected a moment ago is not taken for there.

import Records

/// The assets that may be named, zone by zone.
///
/// NB: gathered from the bytes of the request, checked against the record as it will be stored. Bytes
/// that hide a name from the one walk do not hide it from the other, and are then refused.
package struct GatheredAssets: Sendable {
  /// Those the account holds or the zone's records name already, of those the request names.
  private let available: [ZoneID: Set<Asset>]

  /// What was gathered; a zone that is not in it has none.
  package init(available: [ZoneID: Set<Asset>]) {
    self.available = available
  }

  /// Whether records of the zone may name the asset: its bytes are here, and the account had them.
  func contains(_ asset: Asset, in zone: ZoneID) -> Bool {
    available[zone]?.contains(asset) == true
  }
}
