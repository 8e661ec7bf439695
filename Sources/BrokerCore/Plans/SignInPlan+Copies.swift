// A copied device that has become a new one signs in for the first time. It has the id and the key of the device that
// it was copied from, with which it could also sign in as that device.

import Records

/// What the store has of the device that a copy names as its former one.
package enum FormerDeviceRow: Hashable, Sendable {
  /// The database has the device.
  case known(StoredDevice)
  /// The database does not have the device, because it was restored from an older backup, and the device was removed
  /// since.
  case removed
}

extension SignInPlan {
  /// Registers a copy under the account of its former device, or refuses it as it would refuse that device. `nil` if
  /// the store does not know the former device, or the copy does not have its key.
  static func decideCopy(of former: FormerDeviceRow?, _ request: SignInRequest) -> SignInPlan? {
    switch (former, request.formerKeyDigest) {
    case (.removed?, _): return .refuse(revoked)
    case (.known(let device)?, let digest?):
      guard isEqualInConstantTime(device.keyDigest, digest) else { return nil }
      if let error = objection(to: device, request) { return .refuse(error) }
      return .register(account: .existing(device.account))
    case (.known?, nil), (nil, _): return nil
    }
  }
}
