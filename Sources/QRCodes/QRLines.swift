// A QR code as lines of a terminal, with two modules in the height of a letter. A camera needs dark on light. Where
// colours may be used, the lines set both; otherwise the light modules are drawn, because most terminals are dark.

extension QRCode {
  /// The light border that a reader needs, in modules.
  private static let border = 4

  /// Returns the lines. `isOnLight` sets black on white with escape sequences.
  package func lines(isOnLight: Bool) -> [String] {
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
