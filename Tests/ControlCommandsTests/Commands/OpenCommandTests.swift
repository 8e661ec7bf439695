// When the link of the web page is opened, and not only printed.

import ArgumentParser
import Foundation
import Processes
import Testing

@testable import ControlCommands

@Suite("W1 opening the web page")
struct OpenCommandTests {
  @Test func `a desktop has a display and a program that opens links`() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "xdg-open")
    #expect(!OpenCommand.hasDesktop(["DISPLAY": ":0", "PATH": directory.path]))
    chmod(directory.file("xdg-open"), 0o755)
    for display in ["DISPLAY", "WAYLAND_DISPLAY"] {
      #expect(OpenCommand.hasDesktop([display: ":0", "PATH": "/nowhere:\(directory.path)"]))
      #expect(!OpenCommand.hasDesktop([display: "", "PATH": directory.path]))
      #expect(!OpenCommand.hasDesktop([display: ":0", "PATH": "/nowhere"]))
    }
    #expect(!OpenCommand.hasDesktop(["PATH": directory.path]))
    #expect(!OpenCommand.hasDesktop(["DISPLAY": ":0"]))
  }

  @Test func `the link can only be printed`() throws {
    #expect(try OpenCommand.parse(["--print"]).onlyPrints)
    #expect(try !OpenCommand.parse([]).onlyPrints)
  }
}
