import DeviceStore
import Records
import Testing

@Suite("Z2 the secrets of links")
struct ShareKeepingTests {
  @Test func `of those that were known before all go but the one there is, and no later one`()
    throws
  {
    let ada = try TestDevice(Room(), "laptop")
    var generator = SystemRandomNumberGenerator()
    let kept = (1...3).map { byte in
      KeptSecret(
        secret: .random(using: &generator), digest: Array(repeating: UInt8(byte), count: 32))
    }
    try ada.replica.keep(kept[0], of: .standard)
    try ada.replica.keep(kept[1], of: .standard)
    let known = try ada.reader.secretDigests()
    try ada.replica.keep(kept[2], of: .standard)
    try ada.replica.forgetSecrets(of: .standard, but: kept[1].digest, among: known)
    #expect(try ada.reader.secrets(of: .standard) == [kept[1], kept[2]])
    try ada.replica.forgetSecrets(of: .standard, but: nil, among: known)
    #expect(try ada.reader.secrets(of: .standard) == [kept[2]])
  }
}
