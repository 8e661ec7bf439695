// The flags of `add` and `edit` for a contact's photo. It is uploaded separately, after the other properties.

import AgentAPI
import ArgumentParser

/// `--photo FILE`, `--no-photo`.
struct PhotoFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp("An image file: PNG, JPEG, GIF, WebP, HEIC or AVIF.", valueName: "file"),
    completion: .file())
  var photo: String?

  /// Reads the picture; `nil` if none is given.
  func file() throws(ControlFailure) -> PhotoFile? {
    guard let photo else { return nil }
    return try PhotoFile(path: photo)
  }
}

extension AgentClient {
  /// Sets a contact's photo. The response contains the contact.
  func setPhoto(_ file: PhotoFile, of id: String) async throws(ControlFailure) -> AgentReply {
    try await put(.photo(ofContact: id), bytes: file.bytes, mediaType: file.mediaType)
  }
}
