// A program that uses the library on another machine than the broker.

import BrokerClient
import Foundation
import Processes
import Testing

extension EndToEnd {
  @Suite("R1, R3, K1 the library over TLS")
  struct ClientOverTLSTests {
    @Test func `a program joins by an invitation and connects with the saved identity`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      var identity = DeviceIdentity(name: "reader")
      let joined = try await identity.join(try await broker.invite().link)
      #expect(joined.account == "ada")
      #expect(joined.broker.description == "tls://\(broker.address)")
      let saved = try JSONDecoder().decode(
        DeviceIdentity.self, from: try JSONEncoder().encode(identity))
      let container = Container(name: "notes", broker: joined.broker, device: saved)
      #expect(try await container.currentUserIdentity().name == "ada")
      let record = Record(recordType: "Note", fields: ["text": .string("From another machine")])
      _ = try await container.privateDatabase.save(record)
      let again = try await container.privateDatabase.record(for: record.id)
      #expect(again["text"] == .string("From another machine"))
      await container.close()
    }

    @Test func `a program with a copied identity becomes a new device without an invitation`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      var identity = DeviceIdentity(name: "reader")
      let joined = try await identity.join(try await broker.invite().link)
      let first = Container(name: "notes", broker: joined.broker, device: identity)
      _ = try await first.privateDatabase.save(Record(recordType: "Note"))
      let copy = Container(name: "notes", broker: joined.broker, device: first.device)
      for container in [copy, first, copy] {
        _ = try await container.privateDatabase.save(Record(recordType: "Note"))
      }
      #expect(try await first.privateDatabase.changesUntilNow().changes.count == 4)
      #expect(first.device.id != copy.device.id)
      #expect(try await copy.currentUserIdentity().name == "ada")
      await first.close()
      await copy.close()
    }

    @Test func `a program that has not joined is refused without being trusted`() async throws {
      let (broker, _) = try await RemoteBroker.household()
      let address = try BrokerAddress("tls://\(broker.address)")
      let container = Container(
        name: "notes", broker: address, device: DeviceIdentity(name: "stranger"),
        patience: .seconds(3))
      let error = await #expect(throws: RecordsError.self) { try await container.userID() }
      #expect(error?.reason == "notJoined", "\(String(describing: error))")
      await container.close()
    }

    @Test func `an invitation that was used has its own error, and the identity stays`()
      async throws
    {
      let (broker, _) = try await RemoteBroker.household()
      let invitation = try await broker.invite()
      var first = DeviceIdentity(name: "first")
      _ = try await first.join(invitation.code, address: broker.address)
      var second = DeviceIdentity(name: "second")
      let before = second
      do {
        _ = try await second.join(invitation.link)
        Issue.record("The second device joined.")
      } catch {
        #expect(error.code == .permissionFailure && error.reason == "usedInvitation", "\(error)")
      }
      #expect(second == before)
    }
  }
}
