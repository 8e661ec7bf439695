import ArgumentParser
import Testing

@testable import ControlCommands

@Suite("C4 what shells offer")
struct CompletionSourceTests {
  @Test func `a word comes with its meaning where the shell shows such, and is never cut by it`() {
    #expect(CompletionSource.offer("id-1", "Ada", to: .zsh) == "id-1:Ada")
    #expect(CompletionSource.offer(#"a:b\c"#, to: .zsh) == #"a\:b\\c"#)
    #expect(CompletionSource.offer("id-1", "Ada", to: .fish) == "id-1\tAda")
    #expect(CompletionSource.offer("Ada Quill", to: .fish) == "Ada Quill")
    #expect(CompletionSource.offer("id-1", "Ada", to: .bash) == "id-1")
    #expect(CompletionSource.offer("a:b", "Ada", to: nil) == "a:b")
  }
}
