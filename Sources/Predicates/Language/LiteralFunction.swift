import Records

/// A literal that is written like a function call, such as `date('2026-11-21T08:50:00Z')`.
enum LiteralFunction: String {
  case date, bytes, location, reference, asset

  /// The error message for invalid arguments.
  var rule: String {
    switch self {
    case .date:
      "date requires a time such as '2026-11-21T08:50:00Z', or microseconds since 1970."
    case .bytes: "bytes requires hexadecimal digits, two for each byte: bytes('00ff')."
    case .location: "location requires a latitude within ±90 and a longitude within ±180 degrees."
    case .reference: "reference requires the name of a record."
    case .asset: "asset requires a SHA-256 digest of 64 hexadecimal digits and a size in bytes."
    }
  }

  /// Returns the value of the literal with these arguments; `nil` if they are invalid.
  func value(of parts: [Value]) -> Value? {
    switch (self, parts.first, parts.dropFirst().first, parts.count) {
    case (.date, .string(let text), nil, 1): Timestamp(text).map(Value.date)
    case (.date, .int64(let microseconds), nil, 1):
      .date(Timestamp(microseconds: microseconds))
    case (.bytes, .string(let text), nil, 1): Hexadecimal.bytes(of: text).map(Value.bytes)
    case (.reference, .string(let text), nil, 1):
      (try? RecordName(text)).map { .reference(Reference(record: $0, action: .none)) }
    case (.asset, .string(let text), .int64(let size), 2):
      Hexadecimal.bytes(of: text).flatMap { digest in
        guard digest.count == 32, size >= 0 else { return nil }
        return .asset(Asset(digest: digest, sizeBytes: UInt64(size)))
      }
    case (.location, let latitude?, let longitude?, 2):
      Self.degrees(latitude, within: 90).flatMap { latitude in
        Self.degrees(longitude, within: 180).map {
          .location(Location(latitudeDegrees: latitude, longitudeDegrees: $0))
        }
      }
    default: nil
    }
  }

  private static func degrees(_ value: Value, within bound: Double) -> Double? {
    let degrees: Double
    switch value {
    case .int64(let whole): degrees = Double(whole)
    case .double(let real): degrees = real
    default: return nil
    }
    return abs(degrees) <= bound ? degrees : nil
  }
}

/// Bytes as pairs of hexadecimal digits.
enum Hexadecimal {
  /// Returns the digits of `bytes`, in lower case.
  static func text(of bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Returns the bytes for the digits in `text`; `nil` if it is not valid.
  static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.map(digit)
    guard digits.count % 2 == 0, digits.allSatisfy({ $0 != nil }) else { return nil }
    let values = digits.compactMap(\.self)
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
