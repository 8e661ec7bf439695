// The columns of tables in German, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let german = [
    CSVHeaderSet(
      "Outlook", "de",
      """
      namePrefix = Anrede
      firstName = Vorname
      middleName = Weitere Vornamen
      lastName = Nachname
      nameSuffix = Suffix
      phoneticFirstName = Vorname Yomi
      phoneticLastName = Nachname Yomi
      company = Firma
      department = Abteilung
      title = Position
      role = Beruf
      birthday = Geburtstag
      anniversary = Jahrestag
      phone:assistant = Telefon Assistent
      phone:callback = Rückmeldung
      phone:car = Autotelefon
      phone:fax = Weiteres Fax
      phone:home = Telefon privat | Telefon (privat)
      phone:home fax = Fax privat
      phone:home#2 = Telefon privat 2 | Telefon (privat 2)
      phone:isdn = ISDN
      phone:main = Haupttelefon
      phone:main#2 = Telefon Firma
      phone:mobile = Mobiltelefon
      phone:mobile#2 = Mobiltelefon 2
      phone:other = Weiteres Telefon
      phone:pager = Pager
      phone:telex = Telex
      phone:text = Telefon für Hörbehinderte
      phone:work = Telefon geschäftlich
      phone:work fax = Fax geschäftlich
      phone:work#2 = Telefon geschäftlich 2
      email: = E-Mail-Adresse
      email:#2 = E-Mail 2: Adresse
      email:#3 = E-Mail 3: Adresse
      address:home:street1 = Straße privat
      address:home:street2 = Straße privat 2
      address:home:street3 = Straße privat 3
      address:home:city = Ort privat
      address:home:state = Bundesland/Kanton privat
      address:home:zipcode = Postleitzahl privat
      address:home:country = Land/Region privat
      address:home:poBox = Postfach privat
      address:other:street1 = Weitere Straße
      address:other:street2 = Weitere Straße 2
      address:other:street3 = Weitere Straße 3
      address:other:city = Weiterer Ort
      address:other:state = Weiteres/r Bundesland/Kanton
      address:other:zipcode = Weitere Postleitzahl
      address:other:country = Weiteres/e Land/Region
      address:other:poBox = Weiteres Postfach
      address:work:street1 = Straße geschäftlich
      address:work:street2 = Straße geschäftlich 2
      address:work:street3 = Straße geschäftlich 3
      address:work:city = Ort geschäftlich
      address:work:state = Region geschäftlich
      address:work:zipcode = Postleitzahl geschäftlich
      address:work:country = Land/Region geschäftlich
      address:work:poBox = Postfach geschäftlich
      url: = Webseite
      related:assistant = Name Assistent | Assistent(in)
      related:child = Kinder
      related:manager = Name des/der Vorgesetzten | Name des/r Vorgesetzten
      related:referred by = Empfohlen von
      related:spouse = Partner
      categories = Kategorien
      note = Notizen
      ignore = E-Mail-Typ
      ignore = E-Mail 2: Typ
      ignore = E-Mail 2: Angezeigter Name
      ignore = Priorität
      ignore = Initialen
      ignore = E-Mail 3: Typ
      ignore = E-Mail: Angezeigter Name
      ignore = E-Mail 3: Angezeigter Name
      ignore = Vertraulichkeit
      ignore = Privat
      """),
    CSVHeaderSet(
      "Thunderbird", "de",
      """
      displayName = Anzeigename
      firstName = Vorname
      lastName = Nachname
      nickname = Spitzname
      company = Organisation
      department = Abteilung
      title = Arbeitstitel
      birthYear = Geburtsjahr
      birthMonth = Geburtsmonat
      birthDay = Geburtstag
      phone:fax = Fax-Nummer
      phone:home = Tel. privat
      phone:mobile = Mobil-Tel.-Nr.
      phone:pager = Pager-Nummer
      phone:work = Tel. dienstlich
      email: = Primäre E-Mail-Adresse
      email:#2 = Sekundäre E-Mail-Adresse
      address:home:street1 = Privat: Adresse
      address:home:street2 = Privat: Adresse 2
      address:home:city = Privat: Ort
      address:home:state = Privat: Bundesland
      address:home:zipcode = Privat: PLZ
      address:home:country = Privat: Land
      address:work:street1 = Dienstlich: Adresse
      address:work:street2 = Dienstlich: Adresse 2
      address:work:city = Dienstlich: Ort
      address:work:state = Dienstlich: Bundesland
      address:work:zipcode = Dienstlich: PLZ
      address:work:country = Dienstlich: Land
      url:home = Webseite 2
      url:work = Webseite 1
      im: = Messenger-Name
      note = Notizen
      """),
    CSVHeaderSet(
      "Outlook Express", "de",
      """
      displayName = Name
      firstName = Vorname
      middleName = 2. Vorname
      lastName = Nachname
      nickname = Rufname
      company = Firma
      department = Abteilung
      title = Position
      phone:home = Rufnummer (privat)
      phone:home fax = Fax (privat)
      phone:mobile = Mobiltelefon
      phone:pager = Pager
      phone:work = Rufnummer (geschäftlich)
      phone:work fax = Fax (geschäftlich)
      email: = E-Mail-Adresse
      address:home:street1 = Straße (privat)
      address:home:city = Ort (privat)
      address:home:state = Bundesland (privat)
      address:home:zipcode = Postleitzahl (privat)
      address:home:country = Land/Region (privat)
      address:work:street1 = Straße (geschäftlich)
      address:work:city = Ort (geschäftlich)
      address:work:state = Bundesland (geschäftlich)
      address:work:zipcode = Postleitzahl (geschäftlich)
      address:work:country = Land/Region (geschäftlich)
      url:home = Webseite (privat)
      url:work = Firmenwebseite
      note = Kommentare
      """),
  ]
}
