// The assets that the records of a request may name, and the accounts charged for them. Read inside the
// transaction, so that an asset that was just garbage-collected does not count as available. Not read if
// the request names no asset.

import Records

/// The assets that records may name, by zone.
///
/// NB: collected from the bytes of the request, but checked against the record as it will be stored. If
/// malformed bytes hide an asset from the first walk, the second one still finds it, and the record is
/// refused.
package struct AvailableAssets: Sendable {
  /// An account other than the sender's that is charged for assets: the owner of the zone, or the creator
  /// of the public record.
  package struct Payer: Sendable {
    /// The total size of the account's assets, in bytes.
    package var chargedBytes: Int
    /// The part of it that participants of the account's zones have added, in bytes.
    package var participantsBytes: Int
    /// The assets of the request that the account already has.
    package var held: Set<Asset>

    package init(chargedBytes: Int, participantsBytes: Int, held: Set<Asset>) {
      self.chargedBytes = chargedBytes
      self.participantsBytes = participantsBytes
      self.held = held
    }
  }

  /// The assets, of those the request names, that the sender has uploaded or that records of the zone
  /// already name.
  private let available: [ZoneID: Set<Asset>]
  private var payers: [AccountID: Payer]

  /// Creates the set. A zone without an entry has no available assets. The sender's own assets were charged
  /// when they were uploaded; `payers` are the other accounts.
  package init(available: [ZoneID: Set<Asset>], payers: [AccountID: Payer] = [:]) {
    self.available = available
    self.payers = payers
  }

  /// Whether records in `zone` may name `asset`: the broker stores it, and the sender had access to it.
  func contains(_ asset: Asset, in zone: ZoneID) -> Bool {
    available[zone]?.contains(asset) == true
  }

  /// The result of charging an asset.
  enum Charge {
    case done
    /// The account's limit would be exceeded.
    case beyondLimit
    /// The limit of its participants would be exceeded.
    case beyondParticipants
  }

  /// Charges `asset` to `account`, unless the account is not a payer or already has it.
  /// - Parameter participantsBytes: the limit of the participants, if one of them saves the asset.
  mutating func charge(
    _ asset: Asset, to account: AccountID, limitBytes: Int, participantsBytes: Int?
  ) -> Charge {
    guard var payer = payers[account], !payer.held.contains(asset) else { return .done }
    payer.chargedBytes += asset.byteCount
    guard payer.chargedBytes <= limitBytes else { return .beyondLimit }
    if let participantsBytes {
      payer.participantsBytes += asset.byteCount
      guard payer.participantsBytes <= participantsBytes else { return .beyondParticipants }
    }
    payer.held.insert(asset)
    payers[account] = payer
    return .done
  }
}
