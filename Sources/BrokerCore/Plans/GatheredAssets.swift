// Which of the assets that a request names its records may name, and who pays for them. Gathered only
// for a request that names any, inside the transaction, so that a file collected a moment ago is not
// taken for there.

import Records

/// The assets that may be named, zone by zone.
///
/// NB: gathered from the bytes of the request, checked against the record as it will be stored. Bytes
/// that hide a name from the one walk do not hide it from the other, and are then refused.
package struct GatheredAssets: Sendable {
  /// What another account has, whose zone or public record the request writes to: it will have what is
  /// named there.
  package struct Payer: Sendable {
    /// What its files weigh.
    package var chargedBytes: Int
    /// Those of the request's files that it has already.
    package var held: Set<Asset>

    /// A payer.
    package init(chargedBytes: Int, held: Set<Asset>) {
      self.chargedBytes = chargedBytes
      self.held = held
    }
  }

  /// Those the account holds or the zone's records name already, of those the request names.
  private let available: [ZoneID: Set<Asset>]
  private var payers: [AccountID: Payer]

  /// What was gathered; a zone that is not in it has none. The account's own files were charged when
  /// they came; `payers` are the others on whom something may count.
  package init(available: [ZoneID: Set<Asset>], payers: [AccountID: Payer] = [:]) {
    self.available = available
    self.payers = payers
  }

  /// Whether records of the zone may name the asset: its bytes are here, and the account had them.
  func contains(_ asset: Asset, in zone: ZoneID) -> Bool {
    available[zone]?.contains(asset) == true
  }

  /// Charges an account, if that is another and the file new to it. Returns whether there was room.
  mutating func charge(_ asset: Asset, to account: AccountID, limitBytes: Int) -> Bool {
    guard var payer = payers[account], !payer.held.contains(asset) else { return true }
    guard payer.chargedBytes + asset.byteCount <= limitBytes else { return false }
    payer.chargedBytes += asset.byteCount
    payer.held.insert(asset)
    payers[account] = payer
    return true
  }
}
