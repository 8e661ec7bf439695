import BrokerCore

/// The parameters of a simulated world, drawn from its seed before the first step: the number of steps and
/// devices, the habits of people, and the limits of cascading deletions. Most worlds are short, because most
/// faults need few steps; one in sixteen is about ten times as long.
struct Climate: Sendable {
  /// How often people choose one kind of action, in percent.
  struct Habits: Sendable {
    /// An action undoes, restores or empties the trash.
    var undos = 12
    /// An edit concerns a group.
    var groups = 16
    /// An edit deletes a record.
    var deletions = 15
    /// An edit also sets a photo.
    var photos = 25
    /// An action contains three edits.
    var several = 15
    /// An edit saves a note, which refers to another record.
    var notes = 20
    /// An edit moves a contact to another group.
    var moves = 12
    /// An edit comes from an import or another program, and may delete many contacts without confirmation.
    var unconfirmed = 8
    /// An edit resolves a conflict.
    var resolutions = 6
    /// An action restores a deleted group, if there is one.
    var groupRestorations = 30
  }

  /// The number of steps with faults. Afterwards the world settles.
  private(set) var steps: Int
  /// The number of devices of all people together.
  let devices: Int
  /// The number of groups next to the standard one before the first step, so that contacts can move at once.
  let groups: Int
  private(set) var habits = Habits()
  /// How many referring records a transaction and a later step delete.
  private(set) var cascades = CascadeBounds()

  /// Draws the parameters. `stepsPerStep` multiplies the number of steps of a world whose steps are smaller.
  /// `stepsMaximum` limits the number before it is multiplied.
  init(
    drawnBy generator: inout SimulationGenerator, devices: ClosedRange<Int>, stepsMaximum: Int,
    stepsPerStep: Double = 1
  ) {
    steps = Int(Double(min(Self.steps(&generator), stepsMaximum)) * stepsPerStep)
    self.devices = devices.lowerBound + generator.below(devices.count)
    groups = generator.below(3)
    habits.undos = Self.percent(habits.undos, &generator)
    habits.groups = Self.percent(habits.groups, &generator)
    habits.deletions = Self.percent(habits.deletions, &generator)
    habits.photos = Self.percent(habits.photos, &generator)
    habits.several = Self.percent(habits.several, &generator)
    habits.notes = Self.percent(habits.notes, &generator)
    habits.moves = Self.percent(habits.moves, &generator)
    habits.unconfirmed = Self.percent(habits.unconfirmed, &generator)
    habits.resolutions = Self.percent(habits.resolutions, &generator)
    habits.groupRestorations = Self.percent(habits.groupRestorations, &generator)
    if generator.happens(percent: 50) {
      cascades = CascadeBounds(
        perTransaction: 1 + generator.below(3), perStep: 1 + generator.below(2))
    }
  }

  /// Returns 30 to 800 steps, 130 on average. Each doubling is half as likely.
  private static func steps(_ generator: inout SimulationGenerator) -> Int {
    switch generator.below(16) {
    case 0..<8: 30 + generator.below(30)
    case 8..<12: 60 + generator.below(60)
    case 12..<14: 120 + generator.below(120)
    case 14: 240 + generator.below(240)
    default: 480 + generator.below(321)
    }
  }

  /// Returns a factor in quarters: zero, less than usual, usual, or more.
  static func quarters(_ generator: inout SimulationGenerator) -> Int {
    [0, 1, 2, 4, 4, 4, 8, 16][generator.below(8)]
  }

  private static func percent(_ usual: Int, _ generator: inout SimulationGenerator) -> Int {
    min(usual * quarters(&generator) / 4, 80)
  }
}
