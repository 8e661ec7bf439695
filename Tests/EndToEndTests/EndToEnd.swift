// Tests with real processes, sockets and files. They run one at a time, because each starts several
// processes, and two cores are soon busy.

import Foundation
import Processes
import Testing

/// The number of kills in tests of `kill -9`; `KILLS` sets it.
let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 6

@Suite(.serialized, .timeLimit(.minutes(5 + kills / 10)))
struct EndToEnd {}
