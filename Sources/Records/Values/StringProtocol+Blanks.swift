extension StringProtocol {
  /// Returns the text without leading and trailing whitespace.
  ///
  /// Examines scalars rather than characters, because one character may have hundreds of thousands
  /// of scalars.
  package func trimmingBlanks() -> String {
    let scalars = unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.isBlank }),
      let last = scalars.lastIndex(where: { !$0.isBlank })
    else { return "" }
    return String(self[start..<scalars.index(after: last)])
  }
}

extension Unicode.Scalar {
  /// Whether the scalar has Unicode's property White_Space. Nearly all texts begin and end with ASCII, whose blanks are known
  /// without a look-up in Unicode's tables.
  package var isBlank: Bool {
    isASCII ? self == " " || ("\t"..."\r").contains(self) : properties.isWhitespace
  }
}
