// The public ids of the ten bundled contacts, as another implementation computed them. They are the same on
// every device of every account.

/// The public ids of the bundled contacts in the account's standard group.
package enum BundledIDs {
  /// The ids of `bundled-1-01` to `bundled-1-10`, in this order.
  package static let all = [
    "et5zklgx5s6h4u45", "6npnwwbmbv7mafud", "dlk5akuea3acfm74", "dqwn4exrpkikryhq",
    "7za3oqm25qzq2k3d", "jzrczirp3kwdjvmp", "zd7dgn5xnyndxsjq", "zayjj6qwgpjk546i",
    "uo77kl6shrbub7bo", "pr4ebl36ahgbwrsm",
  ]

  /// Returns the id of the bundled contact with this number, 1 to 10.
  package static func id(_ number: Int) -> String { all[number - 1] }
}
