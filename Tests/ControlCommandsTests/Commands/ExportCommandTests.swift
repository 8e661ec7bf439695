// The format of an export.

import Testing

@testable import ControlCommands

@Suite("A2 format of an export")
struct ExportCommandTests {
  @Test(
    arguments: [
      ("all.vcf", .vcard3), ("a.b/all.CSV", .csv), ("all.json", .json), ("all.jcf", .jcard),
      ("all", nil), ("-", nil), ("all.txt", nil), ("a.csv/all", nil), ("", nil),
    ] as [(String, ExportCommand.Format?)])
  func `the ending of the file's name says the format`(path: String, format: ExportCommand.Format?)
  {
    #expect(ExportCommand.Format(ending: path) == format)
  }
}
