import DeviceRoom
import DeviceStore
import Records
import Testing

@Suite("Z2 the secrets of links")
struct LinkSecretTests {
  @Test func `the known secrets of former links are deleted, and no later one`() throws {
    let ada = try TestDevice(Room(), "laptop")
    var generator = SystemRandomNumberGenerator()
    let links = (1...3).map { byte in
      LinkSecret(
        secret: .random(using: &generator), digest: Array(repeating: UInt8(byte), count: 32))
    }
    try ada.replica.store(links[0], of: .standard)
    try ada.replica.store(links[1], of: .standard)
    let known = try ada.reader.secretDigests()
    try ada.replica.store(links[2], of: .standard)
    try ada.replica.forgetSecrets(of: .standard, but: links[1].digest, among: known)
    #expect(try ada.reader.secrets(of: .standard) == [links[1], links[2]])
    try ada.replica.forgetSecrets(of: .standard, but: nil, among: known)
    #expect(try ada.reader.secrets(of: .standard) == [links[2]])
  }
}
