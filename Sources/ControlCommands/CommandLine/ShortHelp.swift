// The output of contactsctl without a subcommand: the first commands to try, and where to find the others.

/// A short introduction.
enum ShortHelp {
  /// The text.
  static let text = """
    contactsctl – your contacts on all your devices

      contactsctl list                      all contacts, by first letter
      contactsctl search lovelace 0199      search by words or digits
      contactsctl add --first Ada --last Lovelace --phone home=+442079460000
      contactsctl show Ada Lovelace
      contactsctl edit Ada Lovelace         edit in your text editor
      contactsctl watch                     print changes as they arrive
      contactsctl open                      show them in a web browser

    contactsctl help lists all subcommands, contactsctl help NAME describes one,
    contactsctl setup shows what is left to set up.
    """
}
