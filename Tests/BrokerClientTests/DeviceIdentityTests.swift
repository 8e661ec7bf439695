// What a program saves of its device.

import Foundation
import Records
import Testing

@testable import BrokerClient

@Suite("K1, I20 the saved identity")
struct DeviceIdentityTests {
  @Test func `a copied identity keeps its former device until it is registered`() throws {
    var identity = DeviceIdentity(name: "laptop")
    identity.register(as: DeviceID(3))
    let former = FormerDevice(DeviceID(3), key: identity.key)
    identity.resetAsNewDevice()
    #expect(identity.id == nil && identity.key != former.key)
    #expect(try savedAndRead(identity).formerDevice == former)
    // It is copied again before the broker has registered it.
    identity.resetAsNewDevice()
    #expect(identity.formerDevice == former)
    identity.register(as: DeviceID(4))
    #expect(identity.formerDevice == nil && identity.id == DeviceID(4).description)
  }

  private func savedAndRead(_ identity: DeviceIdentity) throws -> DeviceIdentity {
    try JSONDecoder().decode(DeviceIdentity.self, from: try JSONEncoder().encode(identity))
  }
}
