// A QR code as lines of a terminal: two modules in the height of a letter. A camera wants dark on
// light, which a terminal is not by itself: where colour may be used the lines set both, else what
// is light is drawn and what is dark left, as most terminals are dark.

extension QRCode {
  /// The light border that a reader needs, in modules.
  private static let border = 4

  /// The lines. `isOnLight` sets black on white by escape sequences.
  func lines(isOnLight: Bool) -> [String] {
    let border = Self.border
    return stride(from: -border, to: size + border, by: 2).map { row in
      let letters = (-border..<size + border).map { column in
        Self.letter(
          upper: self[column, row] == isOnLight, lower: self[column, row + 1] == isOnLight)
      }
      let line = String(letters)
      return isOnLight ? "\u{1B}[30;107m\(line)\u{1B}[0m" : line
    }
  }

  private static func letter(upper: Bool, lower: Bool) -> Character {
    switch (upper, lower) {
    case (true, true): "█"
    case (true, false): "▀"
    case (false, true): "▄"
    case (false, false): " "
    }
  }
}
