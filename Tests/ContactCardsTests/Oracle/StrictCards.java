import ezvcard.VCard;
import ezvcard.ValidationWarning;
import ezvcard.io.ParseWarning;
import ezvcard.io.text.VCardReader;
import ezvcard.property.VCardProperty;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Prints what ez-vcard complains about in the cards of files, and their number: in reading them, and against their version. */
public class StrictCards {
  public static void main(String[] paths) throws IOException {
    int count = 0;
    for (String path : paths) {
      try (VCardReader reader = new VCardReader(new File(path))) {
        for (VCard card; (card = reader.readNext()) != null; ) {
          count += 1;
          for (ParseWarning warning : reader.getWarnings()) System.out.println(count + ": " + warning);
          printProblems(card, count);
        }
      }
    }
    System.out.println(count + " cards");
  }

  private static void printProblems(VCard card, int number) {
    for (Map.Entry<VCardProperty, List<ValidationWarning>> entry : card.validate(card.getVersion())) {
      VCardProperty property = entry.getKey();
      String name = property == null ? "" : property.getClass().getSimpleName() + ": ";
      for (ValidationWarning warning : entry.getValue()) System.out.println(number + ": " + name + warning);
    }
  }
}
