import Records
import Testing

@testable import BrokerCore

@Suite("I11 copies of a device")
struct AccountConnectionsTests {
  private static func identity(_ device: Int64, container: Int64 = 1) -> SessionIdentity {
    SessionIdentity(
      container: container, account: AccountID(5), accountKey: 1, device: DeviceID(7),
      deviceKey: device)
  }

  @Test func `the newer of two active connections is a copy`() {
    var connections = AccountConnections()
    _ = connections.add(ConnectionID(1), Self.identity(1), invocation: 1, atSeconds: 0)
    _ = connections.add(ConnectionID(2), Self.identity(1), invocation: 2, atSeconds: 100)
    #expect(
      connections.copies(heardFrom: ConnectionID(1), Self.identity(1), atSeconds: 110)
        == [ConnectionID(2)])
    #expect(
      connections.copies(heardFrom: ConnectionID(2), Self.identity(1), atSeconds: 110).isEmpty)
  }

  @Test func `a late message on an earlier connection marks no copy`() {
    var connections = AccountConnections()
    _ = connections.add(ConnectionID(1), Self.identity(1), invocation: 1, atSeconds: 0)
    _ = connections.add(ConnectionID(2), Self.identity(1), invocation: 2, atSeconds: 100)
    #expect(
      connections.copies(heardFrom: ConnectionID(1), Self.identity(1), atSeconds: 101).isEmpty)
  }

  @Test func `a second connection of the same program is no copy`() {
    var connections = AccountConnections()
    _ = connections.add(ConnectionID(1), Self.identity(1), invocation: 1, atSeconds: 0)
    _ = connections.add(ConnectionID(2), Self.identity(1), invocation: 1, atSeconds: 1)
    _ = connections.add(ConnectionID(3), Self.identity(1), invocation: 2, atSeconds: 2)
    #expect(
      connections.copies(heardFrom: ConnectionID(1), Self.identity(1), atSeconds: 50)
        == [ConnectionID(3)])
  }

  @Test func `connections without a program id are not compared`() {
    var connections = AccountConnections()
    _ = connections.add(ConnectionID(1), Self.identity(1), invocation: nil, atSeconds: 0)
    _ = connections.add(ConnectionID(2), Self.identity(1), invocation: nil, atSeconds: 1)
    _ = connections.add(ConnectionID(3), Self.identity(1), invocation: 3, atSeconds: 2)
    for number in 1...3 {
      #expect(
        connections.copies(heardFrom: ConnectionID(number), Self.identity(1), atSeconds: 50)
          .isEmpty)
    }
  }

  @Test func `other devices, other containers and closed connections are no copies`() {
    var connections = AccountConnections()
    _ = connections.add(ConnectionID(1), Self.identity(1), invocation: 1, atSeconds: 0)
    _ = connections.add(ConnectionID(2), Self.identity(2), invocation: 2, atSeconds: 0)
    _ = connections.add(
      ConnectionID(3), Self.identity(1, container: 2), invocation: 3, atSeconds: 0)
    _ = connections.add(ConnectionID(4), Self.identity(1), invocation: 4, atSeconds: 0)
    connections.remove(ConnectionID(4), Self.identity(1))
    #expect(
      connections.copies(heardFrom: ConnectionID(1), Self.identity(1), atSeconds: 50).isEmpty)
    connections.remove(ConnectionID(1), Self.identity(1))
    #expect(
      connections.copies(heardFrom: ConnectionID(1), Self.identity(1), atSeconds: 50).isEmpty)
  }
}
