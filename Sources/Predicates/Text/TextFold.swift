// How texts are brought into one form before `[c]` and `[d]` compare them: canonical decomposition,
// then case (`[c]`) and marks (`[d]`) off. Why our own and how it is held against Foundation's is
// told in docs/decisions/0009-folding.md. ASCII, nearly every text, takes one pass over its bytes.

/// Brings text into the form in which it is compared under some options.
package enum TextFold {
  /// Folded text has at most so many times the bytes of the text.
  package static let growthMax = 3

  /// The bytes of `text` as compared under `options`; without options, as they are.
  package static func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
    var text = text
    return text.withUTF8 { bytes in
      // NB: an array without room is the one that all empty arrays share, and would be written to.
      guard !bytes.isEmpty else { return [] }
      let capacity = bytes.count * growthMax
      return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = fold(bytes, options, into: buffer)
      }
    }
  }

  /// Writes the folded form of `text`, valid UTF-8, and returns how many bytes it has. `output`
  /// has room for `growthMax` times the text. About 1 ns a byte of ASCII, 100 ns a letter beyond.
  package static func fold(
    _ text: UnsafeBufferPointer<UInt8>, _ options: TextOptions,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    precondition(
      output.count >= text.count * growthMax, "Folded text may be longer than its source.")
    let lowersCase = options.contains(.caseInsensitive)
    for index in text.indices {
      let byte = text[index]
      if byte >= 0x80, !options.isEmpty {
        return foldBeyondASCII(text, options, into: output)
      }
      output[index] = lowersCase ? lowercased(byte) : byte
    }
    return text.count
  }

  /// What folding a text counts as, in bytes looked at: a byte of ASCII is one, and where others are
  /// among them each takes many times as long.
  package static func steps(for text: UnsafeBufferPointer<UInt8>) -> Int {
    text.allSatisfy { $0 < 0x80 } ? text.count : text.count * 8
  }

  /// An ASCII letter in lower case; any other byte as it is.
  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  private static func foldBeyondASCII(
    _ text: UnsafeBufferPointer<UInt8>, _ options: TextOptions,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var scalars: [Unicode.Scalar] = []
    scalars.reserveCapacity(text.count)
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      Decomposition.append(scalar, to: &scalars)
    }
    Decomposition.order(&scalars)
    if options.contains(.caseInsensitive) { scalars = caseFolded(scalars) }
    if options.contains(.diacriticInsensitive) { scalars.removeAll(where: isMark) }
    var count = 0
    for scalar in scalars {
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        // NB: text that is not UTF-8 gains bytes by being repaired; it is cut, not overrun.
        guard count < output.count else { return count }
        output[count] = byte
        count += 1
      }
    }
    return count
  }

  /// Unicode's case folding, by way of lower and upper case, so that ẞ, ß and ss, ς and σ come
  /// together. What
  /// has its own capital only in Turkish, the dotless i, keeps apart from i, as in Unicode.
  private static func caseFolded(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    var folded: [Unicode.Scalar] = []
    folded.reserveCapacity(scalars.count)
    for scalar in scalars {
      if scalar.isASCII {
        folded.append(Unicode.Scalar(lowercased(UInt8(truncatingIfNeeded: scalar.value))))
      } else if !scalar.properties.changesWhenCaseMapped || scalar == "\u{131}" {
        folded.append(scalar)
      } else {
        let form = scalar.properties.lowercaseMapping.uppercased().unicodeScalars
        for lower in form.lazy.flatMap(\.properties.lowercaseMapping.unicodeScalars) {
          Decomposition.append(lower, to: &folded)
        }
      }
    }
    Decomposition.order(&folded)
    return folded
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    return scalar.properties.generalCategory == .nonspacingMark
  }
}
