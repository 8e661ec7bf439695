// What contactsctl says when it is called without a word: enough to begin, and where the rest is.

/// A few lines to begin with.
enum ShortHelp {
  /// The lines.
  static let text = """
    contactsctl – your contacts, on every device of yours

      contactsctl list                      everybody, under their letters
      contactsctl search lovelace 0199      by any words or digits
      contactsctl add --first Ada --last Lovelace --phone home=+442079460000
      contactsctl show Ada Lovelace
      contactsctl edit Ada Lovelace         in your editor
      contactsctl watch                     changes as they land

    contactsctl help lists all verbs, contactsctl help VERB tells about one;
    contactsctl setup says what is missing.
    """
}
