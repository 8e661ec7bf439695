import BrokerClient
import FoundationEssentials
import Testing

@Suite("Z2, K5 share links of the library")
struct ShareLinkTests {
  private let container = Container(name: "My recipes", device: DeviceIdentity(name: "laptop"))

  @Test func `a link is read from its text and from JSON`() throws {
    let link = container.newShareLink()
    #expect(link.text.hasPrefix("contacts://join/"))
    #expect(link.containerName == "My recipes")
    #expect(try ShareLink(" \(link.text)\n") == link)
    #expect(try JSONDecoder().decode(ShareLink.self, from: JSONEncoder().encode(link)) == link)
    #expect(container.newShareLink() != link)
  }

  @Test func `the description of a link does not contain the secret`() {
    let link = container.newShareLink()
    let secret = link.text.dropFirst("contacts://join/".count).prefix(22)
    #expect(!"\(link) \(ShareLinkOptions(link: link))".contains(secret))
  }

  @Test func `a damaged link is rejected before it is sent`() throws {
    let text = container.newShareLink().text
    for damaged in ["", "contacts://join/", String(text.dropLast(30)), text + "x%"] {
      let error = #expect(throws: RecordsError.self) { try ShareLink(damaged) }
      #expect(error?.code == .invalidArguments && error?.reason == "malformedLink")
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ShareLink.self, from: JSONEncoder().encode("contacts://join/"))
    }
  }
}
