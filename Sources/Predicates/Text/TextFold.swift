// Texts are folded before `[c]` and `[d]` compare them: canonical decomposition, then case folding (`[c]`)
// and removal of marks (`[d]`). docs/decisions/0009-folding.md says why this is not Foundation's and how the
// two are compared. ASCII, nearly every text, is folded in one pass over its bytes.

/// Case and diacritic folding of texts.
package enum TextFold {
  /// The largest ratio of a folded text's bytes to the text's.
  package static let growthMax = 3

  /// Returns the bytes of `text` folded under `options`; unchanged without options.
  package static func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
    var text = text
    return text.withUTF8 { bytes in
      // NB: an array without capacity is the shared empty array, which must not be written to.
      guard !bytes.isEmpty else { return [] }
      let capacity = bytes.count * growthMax
      return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        count = fold(bytes, options, into: buffer)
      }
    }
  }

  /// Writes the folded form of `text` to `output` as UTF-8 and returns its length. `output` must have room
  /// for `growthMax` times the bytes of the text. The cost is about 1 ns for each byte of ASCII and 100 ns
  /// for each other letter.
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

  /// Returns the cost of folding a text, in steps: one for each byte, or eight if the text is not ASCII.
  package static func steps(for text: UnsafeBufferPointer<UInt8>) -> Int {
    text.allSatisfy { $0 < 0x80 } ? text.count : text.count * 8
  }

  /// Returns an ASCII letter in lower case, and any other byte unchanged.
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
        // NB: invalid UTF-8 grows when it is repaired. The result is truncated to the buffer.
        guard count < output.count else { return count }
        output[count] = byte
        count += 1
      }
    }
    return count
  }

  /// Case folding as in Unicode, by mapping to lower, upper and lower case, so that ẞ, ß and ss are equal,
  /// and ς and σ. The dotless i, whose capital is I, remains different from i, as in Unicode.
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
