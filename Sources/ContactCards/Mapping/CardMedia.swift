// Pictures and sounds in cards: base-64 in 2.1 and 3.0, `data:` URIs in 4.0. Other URIs are never fetched,
// because that would reveal to the server who has the card.

import Contacts
import Images
import Records

enum CardMedia {
  /// The properties whose value is a picture, a sound or a key.
  static let names: Set = ["PHOTO", "LOGO", "SOUND", "KEY"]

  /// Replaces a `data:` URI in `property` by its bytes; ignores other values and properties.
  static func readDataAddress(_ property: inout CardProperty) {
    guard names.contains(property.key), property.value.prefix(5).lowercased() == "data:" else {
      return
    }
    let text = CardText.unescaped(property.value)
    guard let comma = text.firstIndex(of: ",") else { return }
    let header = text[text.index(text.startIndex, offsetBy: 5)..<comma].split(
      separator: ";", omittingEmptySubsequences: false)
    // A media type with other characters could not be a parameter.
    guard header.last?.lowercased() == "base64", header.count == 2,
      header[0].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }),
      let bytes = Base64.decode(text[text.index(after: comma)...].utf8)
    else { return }
    property.value = ""
    property.content = .inline(bytes)
    property.take("VALUE")
    property.take("ENCODING")
    let said = property.value(of: "TYPE").map { mediaType($0, of: family(property)) }
    let type = header[0].lowercased()
    if !type.isEmpty, said != type, property.value(of: "MEDIATYPE") == nil {
      property.parameters.insert(CardParameter("MEDIATYPE", [type]), at: 0)
    }
  }

  /// Returns a sentence if programs may be unable to show a picture; `nil` otherwise.
  static func oddity(of bytes: [UInt8]) -> String? {
    do throws(RecordsError) {
      _ = try ImageProbe(head: Array(bytes.prefix(ImageProbe.headBytes)))
      return nil
    } catch {
      return "\(error.message) It is kept unchanged."
    }
  }

  /// Returns the media type of a picture, from its bytes or else from the parameters.
  static func imageType(_ bytes: [UInt8], _ property: CardProperty) -> String {
    let marks: [(mark: [UInt8], type: String)] = [
      ([0xFF, 0xD8, 0xFF], "image/jpeg"), ([0x89, 0x50, 0x4E, 0x47], "image/png"),
      (Array("GIF8".utf8), "image/gif"), (Array("BM".utf8), "image/bmp"),
    ]
    if let found = marks.first(where: { bytes.starts(with: $0.mark) }) { return found.type }
    if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      return "image/webp"
    }
    let said = property.value(of: "MEDIATYPE") ?? property.value(of: "TYPE")
    return said.map { mediaType($0, of: "image") } ?? ""
  }

  /// Returns `image/jpeg` for `JPEG`.
  private static func mediaType(_ type: String, of family: String) -> String {
    let lower = type.lowercased()
    return lower.contains("/") ? lower : "\(family)/\(lower == "jpg" ? "jpeg" : lower)"
  }

  private static func family(_ property: CardProperty) -> String {
    switch property.key {
    case "PHOTO", "LOGO": "image"
    case "SOUND": "audio"
    default: "application"
    }
  }

  /// Returns the property with `bytes` as its value.
  static func property(
    _ property: CardProperty, with bytes: [UInt8], _ version: CardVersion
  ) -> CardProperty {
    var result = property
    result.content = nil
    guard version == .four else {
      result.parameters.append(CardParameter("ENCODING", ["b"]))
      result.value = Base64.encode(bytes)
      return result
    }
    let declared = result.take("MEDIATYPE").first
    let type =
      declared
      ?? result.value(of: "TYPE").map { mediaType($0, of: family(property)) } ?? ""
    result.value = "data:\(type);base64,\(Base64.encode(bytes))"
    return result
  }

  /// Returns the property of a contact's picture, with its other details from a card.
  static func photo(
    _ mediaType: String, _ bytes: [UInt8], _ version: CardVersion, further: [CardParameter]
  ) -> CardProperty {
    let subtype = mediaType.hasPrefix("image/") ? mediaType.dropFirst(6).uppercased() : mediaType
    let type =
      version == .four
      ? CardParameter("MEDIATYPE", [mediaType]) : CardParameter("TYPE", [subtype])
    return property(
      CardProperty(name: "PHOTO", parameters: (mediaType.isEmpty ? [] : [type]) + further),
      with: bytes, version)
  }
}
