import Contacts
import Testing

@testable import ContactCards

@Suite("F2 the columns of other programs' tables")
struct CSVHeaderSetTests {
  private func read(_ bytes: some Sequence<UInt8>) -> [ImportedContact] {
    var file = ContactFile()
    return file.feed(Array(bytes)) + file.finish()
  }

  @Test(arguments: [
    ("en", "First Name", "First Name"), ("de", "Vorname", "Vorname"), ("fr", "Prénom", "Prénom"),
    ("es", "Nombre", "Nombre"), ("it", "Nome", "Nome"), ("pt-PT", "Primeiro nome", "Nome"),
    ("pt-BR", "Primeiro nome", "Primeiro nome"), ("nl", "Voornaam", "Voornaam"),
    ("sv", "Förnamn", "Förnamn"), ("pl", "Imię", "Imię"), ("ja", "名", "名"),
  ])
  func `Outlook and Thunderbird are known in eleven languages`(
    language: String, outlook: String, thunderbird: String
  ) {
    for (program, name) in [("Outlook", outlook), ("Thunderbird", thunderbird)] {
      let set = CSVHeaderSet.all.first { $0.program == program && $0.language == language }
      #expect(set?[name, 1]?.meaning == .text(.firstName), "\(program)")
    }
  }

  @Test func `a table with very many columns is read in the time of its size`() {
    let names = (0..<200_000).map { "Column \($0)" }
    let header = CSVHeader((["First Name", "Last Name"] + names).map { Array($0.utf8) })
    #expect(header.columns.count == 200_002 && header.columns[0].meaning == .text(.firstName))
  }

  @Test(arguments: [
    "Voornaam;Achternaam;Bedrijf;Functie;E-mailadres", "名;姓;会社名;役職;電子メール アドレス",
    "Prénom;Nom;Société;Titre;Adresse de messagerie",
    "Imię;Nazwisko;Firma;Stanowisko;Adres e-mail",
  ])
  func `a table is recognized by its names in any language`(header: String) {
    let draft = read("\(header)\nAda;Quill;Works;Binder;ada@example.com\n".utf8).first?.draft
    #expect(draft?[.firstName] == "Ada" && draft?[.lastName] == "Quill")
    #expect(draft?[.company] == "Works")
    #expect(draft?[.emails].map { $0[.value] } == ["ada@example.com"])
  }

  @Test func `a second column of one name has its own meaning`() {
    let header =
      "\"Titre\",\"Prénom\",\"Nom\",\"Société\",\"Service\",\"Titre\",\"Ville (bureau)\",\"Anniversaire\""
    let draft = read("\(header)\nMme,Ada,Quill,Works,Night,Relieuse,Lyon,5/6/1984\n".utf8)[0].draft
    #expect(draft[.namePrefix] == "Mme" && draft[.title] == "Relieuse")
    #expect(draft[.birthday] == "1984-06-05")
  }

  @Test func `a name that two programs use has the meaning of the table's program`() {
    let thunderbird =
      "Vorname,Nachname,Anzeigename,Spitzname,Primäre E-Mail-Adresse,Geburtsjahr,Geburtsmonat,Geburtstag"
    let apart = read("\(thunderbird)\nAda,Quill,Ada Quill,Addy,ada@example.com,1984,6,5\n".utf8)
    #expect(apart[0].draft[.birthday] == "1984-06-05")
    let outlook = "Anrede,Vorname,Nachname,Firma,Position,Geburtstag"
    let whole = read("\(outlook)\nFrau,Ada,Quill,Works,Binderin,5.6.1984\n".utf8)
    #expect(whole[0].draft[.birthday] == "1984-06-05")
  }

  @Test func `parts of a birthday that are no date are kept`() {
    let header = "First Name,Last Name,Display Name,Nickname,Birth Year,Birth Month,Birth Day"
    let read = read("\(header)\nAda,Quill,Ada Quill,Addy,1984,13,5\nBo,Ek,Bo Ek,B,,6,5\n".utf8)
    #expect(read[0].draft[.birthday] == "")
    #expect(
      read[0].draft[.other].map { $0[.name] } == ["X-BIRTH-YEAR", "X-BIRTH-MONTH", "X-BIRTH-DAY"])
    #expect(read[1].draft[.birthday] == "--06-05")
  }

  @Test(arguments: [
    // Outlook writes the code page of the system: 1252, 1250 and 932.
    ("Stra\u{DF}e gesch\u{E4}ftlich,Vorname,Nachname", "Ring 1,J\u{FC}rgen,K", "Jürgen"),
    ("Imi\u{EA},Nazwisko,Firma", "\u{A3}ukasz,K,X", "Łukasz"),
  ])
  func `the names tell the character set`(header: String, row: String, name: String) {
    let bytes = "\(header)\n\(row)\n".unicodeScalars.map { UInt8($0.value) }
    let read = read(bytes)
    #expect(read.map { $0.draft[.firstName] } == [name])
    #expect(read[0].findings.isEmpty)
  }

  @Test func `Japanese tables of Outlook are read`() {
    // 名,姓,会社名 and 太郎,高橋,A in CP932.
    let header: [UInt8] = [
      0x96, 0xBC, 0x2C, 0x90, 0xA9, 0x2C, 0x89, 0xEF, 0x8E, 0xD0, 0x96, 0xBC, 0x0A,
    ]
    let row: [UInt8] = [0x91, 0xBE, 0x98, 0x59, 0x2C, 0x8D, 0x82, 0x8B, 0xB4, 0x2C, 0x41, 0x0A]
    let draft = read(header + row).first?.draft
    #expect(draft?[.firstName] == "太郎" && draft?[.lastName] == "高橋" && draft?[.company] == "A")
  }

  @Test func `a column with letters beyond ASCII keeps its name`() {
    let draft = read("Vorname,Nachname,Größe\nAda,Quill,44\n".utf8)[0].draft
    #expect(draft[.other].map { $0[.name] } == ["X-COLUMN"])
    #expect(draft[.other].map { $0[.parameters] } == ["X-NAME=Größe"])
  }

  @Test func `a first line names the separator`() {
    let draft = read("sep=;\nFirst Name;Last Name;Notes\nAda;Quill;a,b,c,d\n".utf8).first?.draft
    #expect(draft?[.note] == "a,b,c,d")
  }

  @Test func `only Outlook separates categories by semicolons`() {
    let google = read("First Name,Labels\nAda,* myContacts ::: A;B ::: * Starred ::: * C\n".utf8)
    #expect(google[0].draft.categories == ["A;B", "Starred", "* C"])
    let outlook = read("First Name,Categories\nAda,A;B\n".utf8)
    #expect(outlook[0].draft.categories == ["A", "B"])
  }
}
