/// An ASN.1 value in the Distinguished Encoding Rules (DER, X.690): a tag, the number of content bytes, and the
/// content. It has the types that a certificate needs.
struct DERValue: Hashable, Sendable {
  /// The complete encoding.
  let bytes: [UInt8]

  /// Wraps a value that is already encoded, such as a public key or a signature.
  init(encoded bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
  }

  private init(tag: UInt8, _ content: [UInt8]) {
    var length = [UInt8(truncatingIfNeeded: content.count)]
    if content.count >= 0x80 {
      // The long form: the number of bytes of the length, then the length.
      length = Self.significantBytes(of: UInt128(content.count))
      length.insert(0x80 | UInt8(length.count), at: 0)
    }
    bytes = [tag] + length + content
  }

  /// INTEGER, in as few bytes as two's complement permits.
  static func integer(_ value: UInt128) -> DERValue {
    let bytes = significantBytes(of: value)
    // The highest bit is the sign. Zero is one byte too.
    let needsZero = bytes.first.map { $0 >= 0x80 } ?? true
    return DERValue(tag: 0x02, needsZero ? [0] + bytes : bytes)
  }

  /// BIT STRING of whole bytes. The first content byte is the number of unused bits.
  static func bitString(_ bytes: some Sequence<UInt8>) -> DERValue {
    DERValue(tag: 0x03, [0] + bytes)
  }

  /// OBJECT IDENTIFIER, from its encoded content.
  static func objectIdentifier(_ content: [UInt8]) -> DERValue {
    DERValue(tag: 0x06, content)
  }

  static func utf8String(_ text: String) -> DERValue {
    DERValue(tag: 0x0C, Array(text.utf8))
  }

  /// UTCTime, as `YYMMDDhhmmssZ`. Years from 50 are in the 20th century.
  static func utcTime(_ text: String) -> DERValue {
    DERValue(tag: 0x17, Array(text.utf8))
  }

  /// GeneralizedTime, as `YYYYMMDDhhmmssZ`.
  static func generalizedTime(_ text: String) -> DERValue {
    DERValue(tag: 0x18, Array(text.utf8))
  }

  static func sequence(_ elements: DERValue...) -> DERValue {
    DERValue(tag: 0x30, elements.flatMap(\.bytes))
  }

  /// SET of one element. More would have to be sorted.
  static func set(_ element: DERValue) -> DERValue {
    DERValue(tag: 0x31, element.bytes)
  }

  /// A value with an explicit, context-specific tag from 0 to 30.
  static func tagged(_ number: UInt8, _ value: DERValue) -> DERValue {
    DERValue(tag: 0xA0 | number, value.bytes)
  }

  /// Returns the bytes of a number, the highest first, without leading zeros. Zero has none.
  private static func significantBytes(of value: UInt128) -> [UInt8] {
    let bytes = stride(from: UInt128.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: value >> $0)
    }
    return Array(bytes.drop { $0 == 0 })
  }
}
