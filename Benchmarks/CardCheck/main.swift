// Checks the card reader with any files: `card-check FILE|FOLDER…`. Every card is read, converted to a
// contact, written as 3.0 and 4.0 and read again. The program reports every property that is missing or
// different afterwards, every card whose second reading gives another contact, and the speed.

import ContactCards
import Contacts
import Foundation
import Records

var check = CardCheck()
for argument in CommandLine.arguments.dropFirst() { check.run(argument) }
check.finish()
exit(check.isFine ? 0 : 1)
