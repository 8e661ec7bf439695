import FoundationEssentials
import Records

/// A new link of a share, and when it stops admitting users. CloudKit has no equivalent.
public struct ShareLinkOptions: Hashable, Sendable {
  /// The link; `nil` to let the library draw one.
  ///
  /// Set it to a link that the program has drawn with `Container.newShareLink()` and saved. If the program
  /// ends before it gets the answer, it can then repeat the call and has the link in any case.
  public var link: ShareLink?
  /// The time at which the link expires; `nil` for never. Participants who accepted before stay.
  public var expirationDate: Date?
  /// The number of accounts that can accept with the link, 1 to 1,000,000; `nil` for no limit.
  public var usesMaximum: Int?

  /// Creates options; by default, of a link that the library draws and that always remains valid.
  public init(link: ShareLink? = nil, expirationDate: Date? = nil, usesMaximum: Int? = nil) {
    self.link = link
    self.expirationDate = expirationDate
    self.usesMaximum = usesMaximum
  }

  /// The greatest number of uses that a link can be limited to.
  private static let usesMaximumMaximum = 1_000_000

  /// Returns the form of `link` that the broker gets.
  func form(of link: ShareLink) throws(RecordsError) -> LinkForm {
    if let usesMaximum, !(1...Self.usesMaximumMaximum).contains(usesMaximum) {
      throw RecordsError(
        .invalidArguments, "A link can be limited to 1 to 1,000,000 uses, not \(usesMaximum).")
    }
    return LinkForm(
      digest: link.digest, expires: expirationDate.map { Timestamp($0) }, uses: usesMaximum)
  }
}

/// Whether the link of a share can be used. CloudKit has no equivalent.
public struct ShareLinkStatus: Hashable, Sendable {
  /// Whether the link can be used, and otherwise the reason.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The link can be used.
    case valid
    /// The link's time is over.
    case expired
    /// The maximum number of accounts accepted with the link.
    case usedUp
    /// The owner or an administrator revoked the link.
    case revoked
  }

  /// Whether the link can be used, and otherwise the reason.
  public let state: State
  /// The time at which the link expires; `nil` for never.
  public let expirationDate: Date?
  /// The number of accounts that can still accept with the link; `nil` for no limit.
  public let usesLeft: Int?

  init(_ stored: Records.ShareLink) {
    state =
      switch stored.standing {
      case .valid: .valid
      case .expired: .expired
      case .usedUp: .usedUp
      case .revoked: .revoked
      }
    expirationDate = stored.expires.map { Date($0) }
    usesLeft = stored.usesLeft
  }
}
