import Records

extension RecordsError {
  /// The error for a file that does not exist.
  package static func missing(_ digest: AssetDigest) -> Self {
    Self(.assetNotAvailable, "The file \(digest) does not exist.")
  }

  /// The error for a file whose content does not match its digest.
  package static func changed(_ digest: AssetDigest) -> Self {
    damaged("The file \(digest) is damaged: its content has changed.")
  }

  /// The error for content that is not that of the asset which it is offered as.
  package static var wrongContent: Self {
    Self(
      .invalidArguments, "The uploaded content does not match the digest of the offered file.",
      hint: "Send it again from the start.", reason: "wrongDigest")
  }

  /// The error for a file whose disk fails.
  static func unreadable(_ digest: AssetDigest) -> Self {
    damaged("The file \(digest) cannot be read from its disk.")
  }

  private static func damaged(_ message: String) -> Self {
    Self(
      .assetNotAvailable, message,
      hint: "Restore it from a backup, or add the original again.", reason: "damaged")
  }
}
