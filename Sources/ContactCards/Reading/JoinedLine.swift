// A line that is joined from the lines of a file. What stands before its value is read once, byte by byte: a card of 24 MiB
// can have eight million pieces, and reading the joined line again for each of them would take days.

/// A line that is being joined.
struct JoinedLine: Sendable {
  /// What has arrived, without folds.
  var bytes: [UInt8] = []
  /// The number of its first line in the file.
  var number = 0
  /// Whether a part did not fit.
  private(set) var isCut = false

  /// How far the part before the value was read.
  private var scanned = 0
  private var isQuoted = false
  /// The position of the colon before the value; `nil` if it has not arrived.
  private var colon: Int?
  private var encoding: String?
  private var isDataAddress = false

  init(bytes: [UInt8] = [], number: Int = 0, isCut: Bool = false) {
    self.bytes = bytes
    self.number = number
    self.isCut = isCut
  }

  /// Adds a further part, as far as there is room.
  mutating func append(_ rest: ArraySlice<UInt8>, isCut isRestCut: Bool) {
    let fits = bytes.count + rest.count <= CardLimits.lineBytes
    if fits { bytes.append(contentsOf: rest) }
    isCut = isCut || isRestCut || !fits
  }

  /// Whether the value has one of these encodings.
  mutating func hasEncoding(_ encodings: [String]) -> Bool {
    guard findsValue() else { return false }
    let known = encoding ?? PropertyParser.encoding(of: bytes)
    encoding = known
    return encodings.contains { $0.isSame(as: known) }
  }

  /// Whether the value is a `data:` URI in base-64. A value that is none ends the line, so it is not asked about again.
  mutating func hasDataAddress() -> Bool {
    guard findsValue() else { return false }
    isDataAddress = isDataAddress || PropertyParser.hasDataAddress(bytes)
    return isDataAddress
  }

  /// Reads on to the first colon that is not quoted.
  private mutating func findsValue() -> Bool {
    while colon == nil, scanned < bytes.count {
      switch bytes[scanned] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ":") where !isQuoted: colon = scanned
      default: break
      }
      scanned += 1
    }
    return colon != nil
  }
}
