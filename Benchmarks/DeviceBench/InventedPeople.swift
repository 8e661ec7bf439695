// An address book of invented people, the same for the same seed: names in a dozen scripts, up to three
// phones and emails, addresses, companies, short and long notes. A few parts give many combinations. As in
// real address books, names repeat and numbers do not.

import Contacts
import Records

/// A generator of contacts.
struct InventedPeople {
  private var state: UInt64

  /// Creates a generator. The same seed gives the same people.
  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// Returns the fields of the next person's record.
  mutating func next() -> Fields {
    let script = Script.all[below(Script.all.count)]
    var fields = Fields()
    var first = first(script)
    if chance(12), script.joins { first += "-" + self.first(script) }
    let last = last(script)
    if chance(95) {
      fields["firstName"] = .string(first)
      if chance(95) { fields["lastName"] = .string(last) }
    }
    if fields.isEmpty || chance(35) {
      fields["company"] = .string("\(self.last(script)) \(pick(Self.trades)) \(below(900))")
    }
    if chance(30) { fields["title"] = .string(pick(Self.titles)) }
    fields["phones"] = entries(["", "home", "work", "mobile"], upTo: 3) { $0.phone(script) }
    fields["emails"] = entries(["home", "work", "other"], upTo: 3) { $0.email() }
    fields["addresses"] = addresses(script)
    if chance(20) {
      fields["birthday"] = .string("19\(10 + below(89))-0\(1 + below(9))-1\(below(9))")
    }
    if chance(25) { fields["note"] = .string(note(script)) }
    return fields
  }

  private mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state >> 33) % bound
  }

  private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  private mutating func pick(_ list: [String]) -> String { list[below(list.count)] }

  private mutating func first(_ script: Script) -> String {
    pick(script.starts) + pick(script.middles) + pick(script.firstEnds)
  }

  private mutating func last(_ script: Script) -> String {
    pick(script.starts) + pick(script.middles) + pick(script.ends)
  }

  private mutating func phone(_ script: Script) -> String {
    "+\(script.code) \(10 + below(90)) \(100 + below(900)) \(1000 + below(9000))"
  }

  private mutating func email() -> String {
    "\(pick(Self.handles))\(below(100_000))@example.\(pick(["com", "net", "org"]))"
  }

  private mutating func note(_ script: Script) -> String {
    let words = [6, 30, 100][below(3)]
    return (0..<words).map { _ in chance(20) ? last(script) : pick(Self.words) }
      .joined(separator: " ")
  }

  private mutating func entries(
    _ labels: [String], upTo most: Int, _ value: (inout InventedPeople) -> String
  ) -> Value? {
    let count = [0, 1, 1, 1, 2, 2, 3][below(7)]
    let entries = (0..<min(count, most)).map { index in
      let fields: Fields = ["label": .string(pick(labels)), "value": .string(value(&self))]
      return entry(index, fields)
    }
    return entries.isEmpty ? nil : .entries(entries)
  }

  private mutating func addresses(_ script: Script) -> Value? {
    let entries = (0..<[0, 0, 1, 1, 2][below(5)]).map { index in
      entry(
        index,
        [
          "label": .string("home"), "street1": .string("\(last(script)) \(1 + below(200))"),
          "city": .string(last(script)), "zipcode": .string("\(10_000 + below(89_999))"),
        ])
    }
    return entries.isEmpty ? nil : .entries(entries)
  }

  private mutating func entry(_ index: Int, _ fields: Fields) -> Entry {
    Entry(
      id: EntryID(UInt128(below(1 << 30)) << 64 | UInt128(index)),
      position: Position(stored: ["h", "p", "u"][index]), fields: fields)
  }

  private static let trades = ["Ltd", "GmbH", "& Sons", "Works", "AB", "Studio", "Foods", "Motors"]
  private static let titles = [
    "engineer", "nurse", "teacher", "driver", "editor", "cook", "surveyor", "harpist",
  ]
  private static let handles = ["ana", "bo", "cleo", "dag", "eli", "fay", "gil", "hana", "ivo"]
  private static let words = [
    "met", "at", "the", "harbour", "festival", "likes", "tea", "calls", "after", "nine", "sister",
    "of", "plays", "violin", "owes", "a", "book", "from", "school", "spring", "lives", "near",
  ]
}

/// The parts of names in one script. Combining starts and ends gives some thousand names.
private struct Script {
  let code: Int
  let starts: [String]
  let middles: [String]
  let ends: [String]
  let firstEnds: [String]
  var joins = false

  static let all =
    [latin, latin, latin, latin, german, polish, swedish, russian, greek]
    + [chinese, japanese, korean, arabic, hebrew, thai, hindi]

  private static func parts(_ text: String) -> [String] {
    text.split(separator: " ").map { String($0) }
  }

  private init(
    _ code: Int, _ starts: String, _ middles: String, _ ends: String, _ firstEnds: String,
    joins: Bool = false
  ) {
    self.code = code
    self.starts = Self.parts(starts)
    self.middles = Self.parts(middles)
    self.ends = Self.parts(ends)
    self.firstEnds = Self.parts(firstEnds)
    self.joins = joins
  }

  private static let latin = Script(
    1,
    "A Ba Be Bra Ca Cla Co Da De Do E Fa Fle Fo Ga Gre Ha He Ho I Ja Jo Ka Ke La Le Lo Ma Me Mo "
      + "Na No O Pa Pe Qui Ra Re Ro Sa She Sto Ta The U Va Ve Wa Wi Ya Ze",
    "l r n m v d ck st rt nd ll rr ss mp b g th lm rl sh",
    "son ton ley field er ard ick wood ham en",
    "a ie an in y el is on us ette", joins: true)
  private static let german = Script(
    49, "Ba Bö Da Eh Fr Gä Grü Hä Ho Jä Ju Kö Kra La Lü Mü Nö Öt Pö Rö Scha Schü Tö Ü Vo Wä Zi",
    "ll nn ß rt tz ck ng hm ff st", "er mann berg hauser le bach", "a e ine en rich hilde")
  private static let polish = Script(
    48, "Ba Bło Cza Dą Fi Gó Ja Ko Łę Łu Ma Mi No Pa Ro Są Sta Śli Świ Ta Wi Wój Za Źró Żu",
    "k sz cz rz w dł ń ł ns b", "ski ska icz ak ek owicz", "a ek usz ina sław")
  private static let swedish = Script(
    46, "A Å Ä Bä Bo Dahl E Fri Gö Ha Hö Jo Kä Li Lö Må Ny Ö Ru Sjö Ste Ta Va Wå Öst",
    "nd lm rg st n kv rk ng", "qvist gren ström berg lund man", "a e rik ur hild")
  private static let russian = Script(
    7, "А Бе Во Га Гри Де До Ё Жу За И Ка Ко Ла Ма Мо Ни О По Ро Се Та У Фё Ха Це Че Ша Ще Э Ю Я",
    "в н р л м к д т рб зн ст", "ов ев ин ский ова ева", "ан ия ей на рь")
  private static let greek = Script(
    30, "Α Βα Γε Δη Ε Ζα Ηλ Θε Ια Κα Λα Μα Νι Ξε Ο Πα Ρο Σα Τα Υ Φω Χα Ψα Ω",
    "ρ λ ν μ σ δ κ γ", "άκης όπουλος ίδης ίου", "ος ία ης η")
  private static let chinese = Script(
    86, "李 王 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗 欧阳 司马", "小 大 文", "龙 明 华",
    "小龙 伟 芳 秀英 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 涛 明 超 秀兰 霞 平 刚 桂英 建国")
  private static let japanese = Script(
    81, "山 田 佐 中 小 高 松 石 木 川 森 や た さ タ ナ", "本 田 藤 村 林 橋 井 野 ま か カ",
    "上 下 原 口 島", "郎 子 美 斗 ひろ さくら ヒロ")
  private static let korean = Script(
    82, "김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권", "민 서 지", "수 준 은",
    "철수 영희 민준 서연 지훈 수진 현우 지은 도윤 하은 준호 미영")
  private static let arabic = Script(
    966, "ا ح خ س ع ف ق م ن ي", "ل م د ر ن ب ج", "داد ار يب وري ان", "مد مة الد يلى ين")
  private static let hebrew = Script(
    972, "א ב ג ד ה י כ ל מ נ ר ש ת", "ו ל ר מ נ ב", "ן ים י ית", "ה ל ם א")
  private static let thai = Script(
    66, "ก ข จ ช ณ ท น ป พ ม ร ว ศ ส อ", "า ม ร น ว", "ใจ ดี สุข ทอง คำ", "ชาย ลี ดา พร")
  private static let hindi = Script(
    91, "अ क ग च ज द न प ब म र ल व श स", "र म न ल त", "र्मा वाल गुप्ता सिंह", "म ता जुन ा")
}
