import DeviceDriver
import FoundationEssentials
import Processes
import Testing

@Suite("B6 the disk reserve")
struct DiskReserveTests {
  @Test func `a reserve is allocated once, freed, and allocated again`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("reserve")
    var reserve = DiskReserve(path: path, byteCount: 100_000)
    #expect(!reserve.isHeld)
    var holds = [reserve.hold(), reserve.hold()]
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(size == 100_000)
    reserve.giveBack()
    #expect(!reserve.isHeld)
    #expect(!FileManager.default.fileExists(atPath: path))
    holds.append(reserve.hold())
    // A new process uses the file of an earlier one.
    var next = DiskReserve(path: path, byteCount: 100_000)
    holds.append(next.hold())
    #expect(holds == [true, true, true, true])
  }

  @Test func `without room there is no reserve and no file`() throws {
    let directory = try TemporaryDirectory()
    // More bytes than any disk has.
    var reserve = DiskReserve(path: directory.file("reserve"), byteCount: 1 << 60)
    var holds = [reserve.hold()]
    #expect(!FileManager.default.fileExists(atPath: directory.file("reserve")))
    var nowhere = DiskReserve(path: directory.file("none/reserve"))
    holds.append(nowhere.hold())
    #expect(holds == [false, false])
  }
}
