// Three real processes, real sockets, real files. One test after the other: each starts several
// processes, and two cores are soon busy.

import Foundation
import Processes
import Testing

/// How often the tests of `kill -9` kill; more by `KILLS`.
let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 6

@Suite(.serialized, .timeLimit(.minutes(5 + kills / 10)))
struct EndToEnd {}
