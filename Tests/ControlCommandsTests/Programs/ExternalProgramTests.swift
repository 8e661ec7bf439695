import Testing

@testable import ControlCommands

@Suite("programs on the terminal")
struct ExternalProgramTests {
  private func program(_ command: String, _ arguments: String...) -> ExternalProgram {
    ExternalProgram(
      command: command, arguments: arguments, environment: ["PATH": "/usr/bin:/bin", "FACT": "x"])
  }

  @Test func `the shell expands the command, but not the arguments`() async throws {
    let ending = try await program(#"test "$FACT" = x && test"#, "$FACT", "=", "$FACT").run()
    #expect(ending == .exited(0))
    #expect(try await program("test x =", "$FACT").run() == .exited(1))
  }

  @Test func `the ending is an exit status or a signal`() async throws {
    #expect(try await program("exit 3;").run() == .exited(3))
    #expect(try await program("kill -9 $$;").run() == .killed(9))
    #expect(try await program("nonsense 2>/dev/null").run(input: [1]) == .exited(127))
  }

  @Test func `a program receives its input, and need not read all of it`() async throws {
    let input = [UInt8](repeating: 65, count: 1 << 20)
    #expect(try await program(#"test "$(wc -c)" -eq"#, "1048576").run(input: input) == .exited(0))
    #expect(try await program("head -c 1 >/dev/null").run(input: input) == .exited(0))
  }
}
