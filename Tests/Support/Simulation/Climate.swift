// What the world of a seed is like, drawn by its own dice before anything happens: for how long it is
// played, on how many devices, how people are there, how much goes along with a deletion at once. Most
// worlds are short, because most faults need few steps; every sixteenth is ten times as long as those.

import BrokerCore

/// The nature of a simulated world.
struct Climate: Sendable {
  /// How often, of a hundred times, somebody does a thing in one way and not in another.
  struct Habits: Sendable {
    /// An action is one that turns something back.
    var turnsBack = 12
    /// An edit concerns a group.
    var groups = 10
    /// It deletes a record.
    var deletions = 15
    /// It sets a photo, too.
    var photos = 25
    /// It is three in one action.
    var several = 15
    /// It is of a note, which goes with others.
    var notes = 20
    /// It moves a contact to another group.
    var moves = 12
    /// It comes from an import or another program, and may delete many contacts that nobody confirmed.
    var unconfirmed = 8
    /// It resolves a conflict.
    var resolutions = 6
  }

  /// Steps with faults; then everything settles.
  private(set) var steps: Int
  /// Devices, of all people together.
  let devices: Int
  /// Groups beside the standard one that are there before the first step: contacts can be moved at once.
  let groups: Int
  private(set) var habits = Habits()
  /// What goes with deleted records at once, and behind that.
  private(set) var cascades = CascadeBounds()

  /// The climate that dice give. A world that is by nature `stepsPerStep` times as slow as others is
  /// played as many times longer. None is played longer than `stepsMost`.
  init(
    drawnBy dice: inout Dice, devices: ClosedRange<Int>, stepsMost: Int,
    stepsPerStep: Double = 1
  ) {
    steps = Int(Double(min(Self.steps(&dice), stepsMost)) * stepsPerStep)
    self.devices = devices.lowerBound + dice.below(devices.count)
    groups = dice.below(3)
    habits.turnsBack = Self.percent(habits.turnsBack, &dice)
    habits.groups = Self.percent(habits.groups, &dice)
    habits.deletions = Self.percent(habits.deletions, &dice)
    habits.photos = Self.percent(habits.photos, &dice)
    habits.several = Self.percent(habits.several, &dice)
    habits.notes = Self.percent(habits.notes, &dice)
    habits.moves = Self.percent(habits.moves, &dice)
    habits.unconfirmed = Self.percent(habits.unconfirmed, &dice)
    habits.resolutions = Self.percent(habits.resolutions, &dice)
    if dice.happens(percent: 50) {
      cascades = CascadeBounds(perTransaction: 1 + dice.below(3), perStep: 1 + dice.below(2))
    }
  }

  /// 30 to 800, each half as likely as half of it: 130 in the mean.
  private static func steps(_ dice: inout Dice) -> Int {
    switch dice.below(16) {
    case 0..<8: 30 + dice.below(30)
    case 8..<12: 60 + dice.below(60)
    case 12..<14: 120 + dice.below(120)
    case 14: 240 + dice.below(240)
    default: 480 + dice.below(321)
    }
  }

  /// A factor, in quarters: none, less, as usual, more.
  static func quarters(_ dice: inout Dice) -> Int {
    [0, 1, 2, 4, 4, 4, 8, 16][dice.below(8)]
  }

  private static func percent(_ usual: Int, _ dice: inout Dice) -> Int {
    min(usual * quarters(&dice) / 4, 80)
  }
}
