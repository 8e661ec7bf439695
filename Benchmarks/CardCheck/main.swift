// Tries the card reader on files of anybody's: `card-check FILE|FOLDER…`. Every card is read, made
// a contact, written in 3.0 and 4.0 and read again. Told is every property that is not found again
// word for word, every card whose second reading is another contact, and how fast it went.

import ContactCards
import Contacts
import Foundation
import Records

var check = CardCheck()
for argument in CommandLine.arguments.dropFirst() { check.run(argument) }
check.finish()
exit(check.isFine ? 0 : 1)
