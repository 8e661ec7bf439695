import Pairing
import Records
import Testing

@Suite("R3 the proofs of an invitation")
struct InvitationKeyTests {
  private let key = InvitationKey(of: InvitationCode(7))
  private let broker = [UInt8](repeating: 1, count: 32)
  private let device = [UInt8](repeating: 2, count: 32)

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  // Computed with Python's hmac and hashlib from the description in records.proto.
  @Test func `id, key and proofs are those of HKDF and HMAC`() {
    #expect(hex(key.id.bytes) == "4a0d03ee33d4f66e79e8428e045e4f13")
    #expect(hex(key.bytes) == "26e3a49d5d3bfc06ccd923876dda949dd8edffdd2f80dabf63fdf4b285e015b1")
    #expect(
      hex(key.proof(of: .device, brokerKeyDigest: broker, deviceKeyDigest: device))
        == "0f4dc941e021598f2c91d55d9e1c66ab4c09cb0214c2fa0136de4057580b341b")
    #expect(
      hex(key.proof(of: .broker, brokerKeyDigest: broker, deviceKeyDigest: device))
        == "e59fdd5ed15197099fd1c7f5dda66d27076df0b2e50a71c4ce258366c1a35275")
  }

  @Test func `a proof holds for one side, one broker's key and one device's key`() {
    let proof = key.proof(of: .device, brokerKeyDigest: broker, deviceKeyDigest: device)
    func holds(
      _ proof: [UInt8], of side: InvitationKey.Side = .device, key: InvitationKey? = nil,
      broker: [UInt8]? = nil, device: [UInt8]? = nil
    ) -> Bool {
      (key ?? self.key).isProof(
        proof, of: side, brokerKeyDigest: broker ?? self.broker,
        deviceKeyDigest: device ?? self.device)
    }
    #expect(holds(proof))
    #expect(!holds(proof, of: .broker))
    #expect(!holds(proof, key: InvitationKey(of: InvitationCode(8))))
    #expect(!holds(proof, broker: device) && !holds(proof, device: broker))
    #expect(!holds(Array(proof.dropLast())) && !holds([]))
  }
}
