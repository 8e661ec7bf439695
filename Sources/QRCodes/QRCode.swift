// QR codes of ISO/IEC 18004, as far as links need them: bytes up to 106, which is version 5 at level L. Up to there
// all codewords are one block, so nothing is interleaved. The parts are the bit stream, its check bytes
// (`ReedSolomon`), the fixed patterns, and the mask that makes the picture easiest to read.

/// A QR code.
package struct QRCode: Hashable, Sendable {
  /// A version as far as it differs from others at level L.
  private struct Version {
    let number: Int
    /// Codewords of content, and of the check behind them.
    let dataBytes: Int
    let checkBytes: Int

    var size: Int { 17 + 4 * number }
  }

  private static let versions = [
    Version(number: 1, dataBytes: 19, checkBytes: 7),
    Version(number: 2, dataBytes: 34, checkBytes: 10),
    Version(number: 3, dataBytes: 55, checkBytes: 15),
    Version(number: 4, dataBytes: 80, checkBytes: 20),
    Version(number: 5, dataBytes: 108, checkBytes: 26),
  ]

  /// Modules of a side.
  package let size: Int
  private var dark: [Bool]
  private var isFixed: [Bool]

  /// The code of these bytes; `nil` for more than 106.
  package init?(_ content: [UInt8]) {
    guard let version = Self.versions.first(where: { content.count + 2 <= $0.dataBytes }) else {
      return nil
    }
    size = version.size
    dark = Array(repeating: false, count: size * size)
    isFixed = dark
    drawPatterns(version)
    let data = Self.codewords(of: content, filling: version.dataBytes)
    draw(data + ReedSolomon.check(of: data, byteCount: version.checkBytes))
    let candidates = (0..<8).map { masked(by: $0) }
    let best = candidates.min { $0.penalty < $1.penalty }
    dark = best?.dark ?? dark
  }

  /// Whether a module is dark; outside of the code none is.
  package subscript(column: Int, row: Int) -> Bool {
    guard (0..<size).contains(column), (0..<size).contains(row) else { return false }
    return dark[row * size + column]
  }

  // MARK: Content

  /// Mode, length and content, closed and filled up.
  static func codewords(of content: [UInt8], filling byteCount: Int) -> [UInt8] {
    // Four bits of mode and eight of length shift everything by half a byte.
    var nibbles: [UInt8] = [0b0100, UInt8(content.count >> 4), UInt8(content.count & 15)]
    for byte in content { nibbles += [byte >> 4, byte & 15] }
    nibbles.append(0)
    var bytes = stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] << 4 | nibbles[$0 + 1] }
    for index in 0..<(byteCount - bytes.count) { bytes.append(index % 2 == 0 ? 0xEC : 0x11) }
    return bytes
  }

  // MARK: Patterns

  private mutating func fix(_ column: Int, _ row: Int, _ isDark: Bool) {
    guard (0..<size).contains(column), (0..<size).contains(row) else { return }
    dark[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  private mutating func drawPatterns(_ version: Version) {
    for index in 0..<size {
      fix(6, index, index % 2 == 0)
      fix(index, 6, index % 2 == 0)
    }
    for (column, row) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for y in -4...4 {
        for x in -4...4 {
          let distance = max(abs(x), abs(y))
          fix(column + x, row + y, distance != 2 && distance != 4)
        }
      }
    }
    if version.number > 1 {
      for y in -2...2 {
        for x in -2...2 { fix(size - 7 + x, size - 7 + y, max(abs(x), abs(y)) != 1) }
      }
    }
    drawFormat(mask: 0)
  }

  /// The level and the mask, twice, each with its check bits.
  private mutating func drawFormat(mask: Int) {
    let data = 0b01 << 3 | mask
    var rest = data
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (data << 10 | rest) ^ 0x5412
    func isSet(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    for index in 0..<6 { fix(8, index, isSet(index)) }
    fix(8, 7, isSet(6))
    fix(8, 8, isSet(7))
    fix(7, 8, isSet(8))
    for index in 9..<15 { fix(14 - index, 8, isSet(index)) }
    for index in 0..<8 { fix(size - 1 - index, 8, isSet(index)) }
    for index in 8..<15 { fix(8, size - 15 + index, isSet(index)) }
    fix(8, size - 8, true)
  }

  /// Draws the codewords in their two columns' wide way up and down, from the right.
  private mutating func draw(_ codewords: [UInt8]) {
    var index = 0
    var right = size - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      let isUpward = (right + 1) & 2 == 0
      for step in 0..<size {
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] {
          guard index < codewords.count * 8 else { continue }
          dark[row * size + column] = codewords[index / 8] >> UInt8(7 - index % 8) & 1 == 1
          index += 1
        }
      }
      right -= 2
    }
  }

  // MARK: Masks

  private func masked(by mask: Int) -> QRCode {
    var code = self
    for row in 0..<size {
      for column in 0..<size where !isFixed[row * size + column] {
        if Self.inverts(mask, column, row) { code.dark[row * size + column].toggle() }
      }
    }
    code.drawFormat(mask: mask)
    return code
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// How hard the code is to read: long runs, blocks, what looks like a corner, too much of one
  /// colour.
  private var penalty: Int {
    var penalty = 0
    let lines =
      (0..<size).map { row in (0..<size).map { self[$0, row] } }
      + (0..<size).map { column in (0..<size).map { self[column, $0] } }
    for line in lines { penalty += Self.penalty(of: line) }
    for row in 0..<(size - 1) {
      for column in 0..<(size - 1) {
        let colour = self[column, row]
        let isBlock =
          colour == self[column + 1, row] && colour == self[column, row + 1]
          && colour == self[column + 1, row + 1]
        if isBlock { penalty += 3 }
      }
    }
    let share = dark.filter(\.self).count * 20
    let steps = (abs(share - dark.count * 10) + dark.count - 1) / dark.count - 1
    return penalty + max(0, steps) * 10
  }

  private static let corner = [true, false, true, true, true, false, true]

  private static func penalty(of line: [Bool]) -> Int {
    var penalty = 0
    var run = 1
    for index in 1...line.count {
      if index < line.count, line[index] == line[index - 1] {
        run += 1
      } else {
        if run >= 5 { penalty += run - 2 }
        run = 1
      }
    }
    for start in 0...(line.count - corner.count) where Array(line[start..<start + 7]) == corner {
      // Outside of the code it is light.
      func isLight(_ range: Range<Int>) -> Bool {
        range.allSatisfy { !line.indices.contains($0) || !line[$0] }
      }
      if isLight(start - 4..<start) { penalty += 40 }
      if isLight(start + 7..<start + 11) { penalty += 40 }
    }
    return penalty
  }
}

/// The check bytes of a QR code: what is left of the content divided by a polynomial over bytes.
enum ReedSolomon {
  /// The check of `data`.
  static func check(of data: [UInt8], byteCount: Int) -> [UInt8] {
    let divisor = divisor(degree: byteCount)
    var rest = [UInt8](repeating: 0, count: byteCount)
    for byte in data {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for index in 0..<byteCount { rest[index] ^= product(divisor[index], factor) }
    }
    return rest
  }

  /// The polynomial with the first powers of 2 as its zeros, without its leading 1.
  private static func divisor(degree: Int) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: degree)
    result[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      for index in 0..<degree {
        result[index] = product(result[index], root)
        if index + 1 < degree { result[index] ^= result[index + 1] }
      }
      root = product(root, 2)
    }
    return result
  }

  /// The product of two bytes as polynomials modulo x⁸ + x⁴ + x³ + x² + 1.
  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result = 0
    for bit in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7) * 0x11D
      result ^= (Int(right) >> bit & 1) * Int(left)
    }
    return UInt8(truncatingIfNeeded: result)
  }
}
