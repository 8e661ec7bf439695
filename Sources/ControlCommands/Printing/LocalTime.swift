// Times for people: in local time, with seconds. Programs get them unchanged, in UTC and RFC 3339.

import Foundation

/// Times for a terminal.
enum LocalTime {
  /// Returns `text` in local time (`2026-11-21 09:21:36`), or unchanged if it is not a time.
  static func shown(_ text: String) -> String {
    // 2026-11-21T08:21:36.112748Z
    let bytes = Array(text.utf8)
    guard (20...27).contains(bytes.count), bytes.last == UInt8(ascii: "Z"),
      bytes[10] == UInt8(ascii: "T"), bytes[4] == UInt8(ascii: "-")
    else { return text }
    let parts = text.split { !$0.isNumber }.compactMap { Int32($0) }
    guard parts.count >= 6 else { return text }
    var utc = tm()
    (utc.tm_year, utc.tm_mon, utc.tm_mday) = (parts[0] - 1900, parts[1] - 1, parts[2])
    (utc.tm_hour, utc.tm_min, utc.tm_sec) = (parts[3], parts[4], parts[5])
    var local = Self.parts(of: timegm(&utc))
    var buffer = [CChar](repeating: 0, count: 20)
    guard strftime(&buffer, buffer.count, "%Y-%m-%d %H:%M:%S", &local) == 19 else { return text }
    return String(decoding: buffer.prefix(19).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns `text` in local time without seconds, or unchanged if it is not a time.
  static func shownToTheMinute(_ text: String) -> String {
    let shown = shown(text)
    return shown == text ? text : String(shown.dropLast(3))
  }

  /// Returns a moment in the user's time zone. The C library has the time zones; the installed programs lack
  /// Foundation's tables of them.
  static func parts(of moment: time_t) -> tm {
    var moment = moment
    var local = tm()
    localtime_r(&moment, &local)
    return local
  }
}
