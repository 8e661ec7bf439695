// A second reader of tables, which shares no code with the one under test.

/// A reader of RFC 4180, as short as can be: quotes, doubled quotes, separators, line ends.
func plainRows(_ text: String, separator: Unicode.Scalar = ",") -> [[String]] {
  var rows: [[String]] = [[""]]
  var isQuoted = false
  var before: Unicode.Scalar?
  func add(_ scalar: Unicode.Scalar) {
    rows[rows.count - 1][rows[rows.count - 1].count - 1].unicodeScalars.append(scalar)
  }
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"":
      // A quote that follows a closing quote was doubled.
      if !isQuoted, before == "\"" { add(scalar) }
      isQuoted.toggle()
    case separator where !isQuoted: rows[rows.count - 1].append("")
    case "\n" where !isQuoted: rows.append([""])
    case "\r" where !isQuoted: break
    default: add(scalar)
    }
    before = scalar
  }
  return rows.last == [""] ? rows.dropLast() : rows
}

/// Whether a character of a contact is in a table: no control character but a tab and the ends of lines.
func isWrittenToTable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x09, 0x0A, 0x0D: true
  case 0..<0x20, 0x7F...0x9F: false
  default: true
  }
}
