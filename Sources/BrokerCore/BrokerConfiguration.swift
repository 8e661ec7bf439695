import Records

/// What a broker is configured with.
package struct BrokerConfiguration: Sendable {
  /// Encodes a range of a zone's feed into a frame.
  package typealias Encode = @Sendable (ZoneChanges) -> [UInt8]
  /// Computes the digest of a device's key, or of the secret of a link.
  package typealias Digest = @Sendable ([UInt8]) -> [UInt8]

  /// The permissions of the system's users.
  package var policy: BrokerPolicy
  /// The limits of accounts.
  package let quotas: QuotaPolicy
  /// The connections that one account may have. Without it, a user who may name any account would have no
  /// limit per account.
  package let connectionsPerAccount: Int
  /// The remote connections that may be open and not signed in.
  package let strangersMaximum: Int
  /// How devices on other machines reach the broker; `nil` if they cannot.
  package let remoteAccess: RemoteAccess?
  /// Whether other brokers may serve the same database.
  package let sharesDatabase: Bool
  /// Makes the frames of a feed, for live segments and pages alike.
  package let encode: Encode
  /// Computes the digests that the store keeps instead of keys and secrets.
  package let digest: Digest

  package init(
    policy: BrokerPolicy, quotas: QuotaPolicy = QuotaPolicy(), connectionsPerAccount: Int = .max,
    strangersMaximum: Int = BrokerLimits.strangers, remoteAccess: RemoteAccess? = nil,
    sharesDatabase: Bool = false, encode: @escaping Encode, digest: @escaping Digest
  ) {
    self.connectionsPerAccount = connectionsPerAccount
    self.strangersMaximum = strangersMaximum
    self.remoteAccess = remoteAccess
    self.sharesDatabase = sharesDatabase
    self.policy = policy
    self.quotas = quotas
    self.encode = encode
    self.digest = digest
  }
}

/// The permissions of the system's users, as the administrator set them.
package struct BrokerPolicy: Hashable, Sendable {
  /// The uids that may name any account in their greeting.
  package let maySpeakFor: Set<UInt32>
  /// Whether an unknown uid gets an account of its own.
  package let accountsAreOpen: Bool
  /// The uids that may send administrative requests.
  package let administrators: Set<UInt32>

  package init(
    maySpeakFor: Set<UInt32>, accountsAreOpen: Bool, administrators: Set<UInt32> = []
  ) {
    self.maySpeakFor = maySpeakFor
    self.accountsAreOpen = accountsAreOpen
    self.administrators = administrators
  }

  /// Whether a peer may name any account in its greeting.
  package func maySpeakForOthers(_ peer: Peer) -> Bool {
    peer.uid.map(maySpeakFor.contains) ?? false
  }
}
