import Testing

@testable import QRCodes

@Suite("Z2 the code of a link")
struct QRCodeTests {
  private func lines(_ text: String) throws -> [String] {
    let code = try #require(QRCode(Array(text.utf8)))
    return (0..<code.size).map { row in
      String((0..<code.size).map { code[$0, row] ? "#" : "." })
    }
  }

  // The standard's own example: “01234567” at 1-M, with its ten check bytes.
  @Test func `check bytes are the standard's`() {
    let data: [UInt8] = [
      0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC,
      0x11,
    ]
    #expect(
      ReedSolomon.check(of: data, byteCount: 10)
        == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55])
  }

  @Test func `content is closed and filled up as the standard has it`() {
    #expect(
      QRCode.codewords(of: Array("Ada".utf8), filling: 8)
        == [0x40, 0x34, 0x16, 0x46, 0x10, 0xEC, 0x11, 0xEC])
  }

  // Made by another program, with the same level and mask.
  @Test func `a short text is the picture that others make of it`() throws {
    let expected = """
      #######..#.##.#######
      #.....#..###..#.....#
      #.###.#.##.##.#.###.#
      #.###.#..#.#..#.###.#
      #.###.#...#.#.#.###.#
      #.....#.....#.#.....#
      #######.#.#.#.#######
      ........##.##........
      ###.########.##...#..
      .#..#..#..#...#....##
      ..#####..#..#...#.###
      #.#.#...###...#......
      .#.####..##.#.#.#...#
      ........##.#.#.#.#.#.
      #######.#.##.###.####
      #.....#.#.####.###..#
      #.###.#.##.#.###..#.#
      #.###.#..##...#...##.
      #.###.#.#.#.#...#...#
      #.....#.#.#...#...##.
      #######.#.#.#.#.#.###
      """
    #expect(try lines("Ada").joined(separator: "\n") == expected)
  }

  @Test func `a link is the picture that others make of it`() throws {
    let expected = """
      #######.###.###.#..#..#######
      #.....#.###..#..#.##..#.....#
      #.###.#.#.##.....####.#.###.#
      #.###.#.##.#.##.###.#.#.###.#
      #.###.#......#..#.#...#.###.#
      #.....#.#..##....#.#..#.....#
      #######.#.#.#.#.#.#.#.#######
      .........#..#.####...........
      ##..###....#.##.#..##..#.####
      #.#....#.##.#.##..##..###.###
      ##.##.#.#..#####....#..##...#
      #.#.#..#..##.#.###.#...###.#.
      .#.#####..#.##...#.###...#.##
      #...#........##.#.##..#####.#
      #.##..##.##....##.#.##..##..#
      ######......#.##.##.#.#.##...
      #....#####.#.##..#.###...#.##
      #..###.##.#.#...#.##..#.###.#
      ..#...##.#.######...#...###.#
      ...##..#..##.#.#.##..#..##...
      ##.#.######.##.#...######....
      ........#....##.#####...#.#.#
      #######..#.....#.#..#.#.#...#
      #.....#.#...#.#..####...##.#.
      #.###.#.####.###...######..#.
      #.###.#..#..#..##.#.#....##.#
      #.###.#...######.....#.#.####
      #.....#.#.##.#.####....##..##
      #######.##..##..#...###....#.
      """
    let text = "contacts://join/AAECAwQFBgcICQoLDA0ODw"
    #expect(try lines(text).joined(separator: "\n") == expected)
  }

  @Test(arguments: [(17, 21), (18, 25), (32, 25), (33, 29), (53, 29), (78, 33), (106, 37)])
  func `it is as small as its content lets it be`(byteCount: Int, size: Int) {
    #expect(QRCode(Array(repeating: 65, count: byteCount))?.size == size)
  }

  @Test func `what does not fit is refused`() {
    #expect(QRCode(Array(repeating: 65, count: 107)) == nil)
  }

  @Test func `its lines have the light border that a camera needs`() throws {
    let code = try #require(QRCode(Array("Ada".utf8)))
    let dark = code.lines(isOnLight: false)
    #expect(dark.count == 15)
    #expect(dark.allSatisfy { $0.count == 29 })
    #expect(dark[0] == String(repeating: "█", count: 29))
    let light = code.lines(isOnLight: true)
    #expect(light[0] == "\u{1B}[30;107m" + String(repeating: " ", count: 29) + "\u{1B}[0m")
  }
}
