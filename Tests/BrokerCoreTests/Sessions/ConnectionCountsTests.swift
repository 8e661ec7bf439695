import BrokerCore
import Records
import Testing

@Suite("I11 limits of connections")
struct ConnectionCountsTests {
  @Test(arguments: [128, 1024, 20_000])
  func `one user leaves a quarter of the connections, and all leave files to the broker`(files: Int)
  {
    var counts = ConnectionCounts(openFilesMaximum: files)
    #expect(files - counts.totalMaximum >= 64)
    let own = (0..<files).prefix { _ in counts.open(.localUser(7), isTrusted: false) == nil }.count
    #expect(own == counts.perUserMaximum)
    counts.close(.localUser(7))
    let others = (0..<files).prefix { _ in counts.open(.localUser(8), isTrusted: false) == nil }
      .count
    #expect(others == counts.totalMaximum - counts.perUserMaximum && others >= 16)
    #expect(counts.open(.localUser(9), isTrusted: true)?.code == .requestRateLimited)
  }

  @Test(arguments: [128, 1024, 20_000, 524_288])
  func `strangers leave half of the connections, however few files there are`(files: Int) {
    let counts = ConnectionCounts(openFilesMaximum: files)
    let maximum = counts.strangersMaximum(perNetworkMaximum: 64)
    #expect(maximum <= counts.totalMaximum / 2 && maximum <= BrokerLimits.strangers)
    #expect(maximum >= min(BrokerLimits.strangers, counts.totalMaximum / 2))
    #expect(counts.strangersMaximum(perNetworkMaximum: .max) == counts.totalMaximum / 2)
  }

  @Test func `only the total limits a trusted user, and a closed connection frees its place`() {
    var counts = ConnectionCounts(openFilesMaximum: 128)
    for _ in 0..<counts.totalMaximum { #expect(counts.open(.localUser(7), isTrusted: true) == nil) }
    #expect(counts.open(.localUser(7), isTrusted: true) != nil)
    counts.close(.localUser(7))
    counts.close(.localUser(7))
    #expect(counts.open(.localUser(7), isTrusted: true) == nil)
  }
}
