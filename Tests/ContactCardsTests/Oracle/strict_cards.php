<?php
// Prints what sabre's vobject complains about in the cards of files, and their number.
require 'Sabre/VObject/autoload.php';

$count = 0;
foreach (array_slice($argv, 1) as $path) {
    $cards = new Sabre\VObject\Splitter\VCard(fopen($path, 'r'));
    while ($card = $cards->getNext()) {
        $count += 1;
        foreach ($card->validate() as $problem) {
            echo "$count: $problem[message]\n";
        }
    }
}
echo "$count cards\n";
