import ArgumentParser
import Testing

@testable import ControlCommands

@Suite("C4 words that shells offer")
struct OfferedWordTests {
  private func line(
    _ word: String, _ meaning: String = "", to shell: CompletionShell?, typed: String = "",
    ourScript: Bool = true
  ) -> String? {
    OfferedWord(word, meaning).line(
      for: OfferedWord.Reader(
        shell: shell, hasOurScript: ourScript, typed: TypedWord(shell: typed)))
  }

  @Test func `a word comes with its meaning where the shell shows such, and is never cut by it`() {
    #expect(line("id-1", "Ada", to: .zsh) == "id-1:Ada")
    #expect(line(#"a:b\c"#, to: .zsh) == #"a\:b\\c"#)
    #expect(line("id-1", "Ada", to: .fish) == "id-1\tAda")
    #expect(line("id-1", "Ada\tQuill\u{9B}2J", to: .fish) == "id-1\tAda Quill2J")
    #expect(line("Ada Quill", to: .fish) == "Ada Quill")
    #expect(line("id-1", "Ada", to: .bash) == "id-1")
  }

  @Test(arguments: [CompletionShell.bash, nil])
  func `bash gets a backslash before everything that it could read as more than a letter`(
    shell: CompletionShell?
  ) {
    #expect(line("Ann $(x)", to: shell) == #"Ann\ \$\(x\)"#)
    #expect(line("a:b", "Ada", to: shell) == #"a\:b"#)
    #expect(line("Zoë_Ünal-9.1/x", to: shell) == "Zoë_Ünal-9.1/x")
    #expect(line("Ze\u{301}\u{A0}1", to: shell) == "Ze\u{301}\\\u{A0}1")
    for scalar in (0x20...0x7E).compactMap(Unicode.Scalar.init) {
      let character = Character(scalar)
      let isPlain = character.isLetter || character.isNumber || "_./-".contains(character)
      #expect(line("x\(character)", to: shell) == (isPlain ? "x\(character)" : "x\\\(character)"))
    }
  }

  @Test func `a word continues the quotation mark that is open`() {
    let name = #"Ann's "$x" `y` \ !z"#
    #expect(line(name, to: .bash, typed: "\"An") == #"Ann's \"\$x\" \`y\` \\ "'!'"z"#)
    #expect(line(name, to: .bash, typed: "'An") == #"Ann'\''s "$x" `y` \ !z"#)
    #expect(line("Ann Quill", to: .bash, typed: "Ann' Q") == " Quill")
    #expect(line("Ann Quill", to: .bash, typed: #"ann\ q"#) == #"Ann\ Quill"#)
    #expect(line("Ann Quill", to: .bash, typed: "Bob") == nil)
  }

  @Test(arguments: [CompletionShell.bash, .zsh, .fish, nil])
  func `a word that would move the cursor or become a flag is not offered`(shell: CompletionShell?)
  {
    let controls = Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x202E, 0x2066]
    for scalar in controls.compactMap(Unicode.Scalar.init) {
      #expect(line("Ann\(Character(scalar))B", to: shell) == nil, "\(scalar.value)")
    }
    for word in ["", "-rf", "--with-contacts"] { #expect(line(word, to: shell) == nil) }
  }

  @Test func `the parser's own script gets only words that it inserts literally`() {
    #expect(line("Ann $x", to: .bash, ourScript: false) == nil)
    #expect(line("Ann `x`", to: .bash, ourScript: false) == nil)
    #expect(line("Ann; x", to: .bash, ourScript: false) == #"Ann\;\ x"#)
    #expect(line("Ann !x", to: .zsh, ourScript: false) == nil)
    #expect(line("Ann $x", to: .zsh, ourScript: false) == "Ann $x")
  }
}

@Suite("C4 words as they are typed")
struct TypedWordTests {
  @Test func `quotation marks and backslashes are read as the shell reads them`() {
    let words: [(String, String, TypedWord.Quote)] = [
      ("Ann", "Ann", .none), (#"Ann\ Q"#, "Ann Q", .none), (#"Ann\"#, "Ann", .none),
      ("\"Ann Q", "Ann Q", .double), ("'Ann Q", "Ann Q", .single), ("'a'\"b\"c", "abc", .none),
      (#""a\$\x"#, #"a$\x"#, .double), (#"'a\b"#, #"a\b"#, .single),
    ]
    for (raw, text, quote) in words {
      let word = TypedWord(shell: raw)
      #expect(word.text == text, "\(raw)")
      #expect(word.quote == quote, "\(raw)")
    }
    #expect(TypedWord(shell: "Ann' Q").beforeQuote == "Ann")
    #expect(TypedWord(plain: #"a\b"#).text == #"a\b"#)
  }
}
