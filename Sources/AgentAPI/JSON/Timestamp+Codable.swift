import Records

/// A time is a text in RFC 3339.
extension Timestamp: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = Timestamp(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "“\(text.prefix(40))” is not a time as in RFC 3339.")
    }
    self = time
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
