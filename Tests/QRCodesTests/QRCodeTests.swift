import QRCodes
import Testing

@Suite("Z2 the code of a link")
struct QRCodeTests {
  private func lines(_ text: String) throws -> [String] {
    let code = try #require(QRCode(Array(text.utf8)))
    return (0..<code.size).map { row in
      String((0..<code.size).map { code[$0, row] ? "#" : "." })
    }
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

  @Test func `content may be any bytes`() throws {
    let zeroes = try #require(QRCode([0, 0, 255, 0]))
    #expect(zeroes.size == 21)
    #expect(zeroes != QRCode([0, 0, 255]))
    #expect(zeroes != QRCode([0, 0, 255, 1]))
  }

  @Test(arguments: [(17, 21), (18, 25), (32, 25), (33, 29), (53, 29), (78, 33), (106, 37)])
  func `it is as small as its content lets it be`(byteCount: Int, size: Int) {
    #expect(QRCode(Array(repeating: 65, count: byteCount))?.size == size)
  }

  @Test func `no content and content that is too long are rejected`() {
    #expect(QRCode([]) == nil)
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
