// The columns of tables in Dutch, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let dutch = [
    CSVHeaderSet(
      "Outlook", "nl",
      """
      namePrefix = Titel
      firstName = Voornaam
      middleName = Middelste naam
      lastName = Achternaam
      nameSuffix = Achtervoegsel
      phoneticFirstName = Given Yomi
      phoneticLastName = Surname Yomi
      company = Bedrijf
      department = Afdeling
      title = Functie
      role = Beroep
      birthday = Verjaardag
      anniversary = Speciale datum
      phone:assistant = Telefoon assistent
      phone:callback = Terugbellen
      phone:car = Autotelefoon
      phone:fax = Andere fax
      phone:home = Telefoon thuis
      phone:home fax = Fax thuis
      phone:home#2 = Telefoon thuis 2
      phone:isdn = ISDN
      phone:main = Hoofdtelefoon
      phone:main#2 = Hoofdtelefoon bedrijf
      phone:mobile = Mobiele telefoon
      phone:other = Andere telefoon
      phone:pager = Pager
      phone:radio = Radiotelefoon
      phone:telex = Telex
      phone:text = Teksttelefoon
      phone:work = Telefoon op werk
      phone:work fax = Fax op werk
      phone:work#2 = Telefoon op werk 2
      email: = E-mailadres
      email:#2 = E-mailadres 2
      email:#3 = E-mailadres 3
      address:home:street1 = Huisadres, straat
      address:home:street2 = Huisadres, straat 2
      address:home:street3 = Huisadres, straat 3
      address:home:city = Huisadres, plaats
      address:home:state = Huisadres, provincie
      address:home:zipcode = Huisadres, postcode
      address:home:country = Land/regio (thuis)
      address:home:poBox = Huisadres, postbusnummer
      address:other:street1 = Ander adres, straat
      address:other:street2 = Ander adres, straat 2
      address:other:street3 = Ander adres, straat 3
      address:other:city = Ander adres, plaats
      address:other:state = Ander adres, provincie
      address:other:zipcode = Ander adres, postcode
      address:other:country = Land/regio (anders)
      address:other:poBox = Ander adres, postbusnummer
      address:work:street1 = Werkadres, straat
      address:work:street2 = Werkadres 2, straat
      address:work:street3 = Werkadres 3, straat
      address:work:city = Werkadres, plaats
      address:work:state = Werkadres, provincie
      address:work:zipcode = Werkadres, postcode
      address:work:country = Land/regio (werk)
      address:work:poBox = Werkadres, postbusnummer
      url: = Webpagina
      related:assistant = Naam assistent
      related:child = Kinderen
      related:manager = Naam manager
      related:referred by = Referentie van
      related:spouse = Partner
      categories = Categorieën
      note = Notities
      ignore = E-mailtype
      ignore = E-mailtype 2
      ignore = E-mail, weergegeven naam 2
      ignore = Prioriteit
      ignore = Initialen
      ignore = E-mailtype 3
      ignore = Weergavenaam voor e-mail
      ignore = E-mail, weergegeven naam 3
      ignore = Gevoeligheid
      ignore = Priv
      """),
    CSVHeaderSet(
      "Thunderbird", "nl",
      """
      displayName = Weergavenaam
      firstName = Voornaam
      lastName = Achternaam
      nickname = Bijnaam
      company = Organisatie
      department = Afdeling
      title = Werkfunctie
      birthYear = Geboortejaar
      birthMonth = Geboortemaand
      birthDay = Geboortedag
      phone:fax = Faxnummer
      phone:home = Telefoon thuis
      phone:mobile = Mobiel nummer
      phone:pager = Piepernummer
      phone:work = Telefoon werk
      email: = Primair e-mailadres
      email:#2 = Secundair e-mailadres
      address:home:street1 = Adres
      address:home:street2 = Adres 2
      address:home:city = Woonplaats
      address:home:state = Provincie
      address:home:zipcode = Postcode
      address:home:country = Land
      address:work:street1 = Werkadres
      address:work:street2 = Werkadres 2
      address:work:city = Werklocatie
      address:work:state = Werkprovincie
      address:work:zipcode = Werkpostcode
      address:work:country = Werkland
      url:home = Webpagina 2
      url:work = Webpagina 1
      im: = Schermnaam
      note = Aantekeningen
      """),
    CSVHeaderSet(
      "Thunderbird, older", "nl",
      """
      title = Werktitel
      phone:pager = Pieper nummer
      email: = Eerste e-mail
      email:#2 = Tweede e-mail
      address:work:city = Werkplaats
      """),
  ]
}
