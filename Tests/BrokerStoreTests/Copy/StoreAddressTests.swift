import BrokerPostgreSQL
import BrokerStore
import Testing

@Suite("Store addresses")
struct StoreAddressTests {
  @Test func `an address is a PostgreSQL database, everything else a directory`() {
    #expect(StoreAddress("/var/lib/x") == .directory("/var/lib/x"))
    #expect(StoreAddress("postgresql://a@b/c") == .server("postgresql://a@b/c"))
    #expect(StoreAddress("postgres://a@b/c") == .server("postgres://a@b/c"))
  }

  @Test(arguments: [
    ("postgresql://ada:secret@host/db?password=x", "postgresql://ada@host/db"),
    ("postgresql://ada@host:5432/db", "postgresql://ada@host:5432/db"),
    ("postgresql:///db?host=/run", "postgresql:///db"),
    ("postgresql://ada:a@b:c@host/db", "postgresql://ada@host/db"),
  ])
  func `sentences have no password`(address: String, shown: String) {
    #expect(StoreAddress.withoutPassword(address) == shown)
  }
}
