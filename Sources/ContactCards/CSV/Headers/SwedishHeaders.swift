// The columns of tables in Swedish, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let swedish = [
    CSVHeaderSet(
      "Outlook", "sv",
      """
      namePrefix = Titel
      firstName = Förnamn
      middleName = Mellannamn
      lastName = Efternamn
      nameSuffix = Namnsuffix
      phoneticFirstName = Förnamn Yomi
      phoneticLastName = Efternamn Yomi
      company = Företag
      department = Avdelning
      title = Befattning
      role = Yrke
      birthday = Födelsedag
      anniversary = Årsdag
      phone:assistant = Telefon, assistent
      phone:callback = Motringning
      phone:car = Biltelefon
      phone:fax = Fax, annan
      phone:home = Hem
      phone:home fax = Fax, hem
      phone:home#2 = Telefon 2, hem
      phone:isdn = ISDN
      phone:main = Telefon 1
      phone:main#2 = Företag, växel
      phone:mobile = Mobiltelefon
      phone:other = Telefon, annan
      phone:pager = Personsökare
      phone:radio = Telefon 2
      phone:telex = Telex
      phone:text = TTY/TDD-telefon
      phone:work = Arbete
      phone:work fax = Fax arbete
      phone:work#2 = Telefon 2, arbete
      email: = E-postadress
      email:#2 = E-postadress 2
      email:#3 = E-postadress 3
      address:home:street1 = Gatuadress, hem
      address:home:street2 = Gatuadress 2, hem
      address:home:street3 = Gatuadress 3, hem
      address:home:city = Hemort
      address:home:state = Region, hem
      address:home:zipcode = Postnr, hem
      address:home:country = Land, hem
      address:home:poBox = Hemadress, box
      address:other:street1 = Annan gata
      address:other:street2 = Annan gata 2
      address:other:street3 = Annan gata 3
      address:other:city = Annan ort
      address:other:state = Annan region
      address:other:zipcode = Annat postnummer
      address:other:country = Annat land
      address:other:poBox = Annan adress, box
      address:work:street1 = Gatuadress, arbete
      address:work:street2 = Gatuadress 2, arbete
      address:work:street3 = Gatuadress 3, arbete
      address:work:city = Ort, arbete
      address:work:state = Region, arbete
      address:work:zipcode = Postadress, arbete
      address:work:country = Land, arbete
      address:work:poBox = Arbetsadress, box
      url: = Webbsida
      related:assistant = Namn, assistent
      related:child = Barn
      related:manager = Namn, chef
      related:spouse = Make maka
      categories = Kategorier
      note = Anteckningar
      ignore = E-posttyp
      ignore = E-posttyp 2
      ignore = E-postnamn 2
      ignore = Prioritet
      ignore = Initialer
      ignore = E-posttyp 3
      ignore = E-postnamn
      ignore = E-postnamn 3
      ignore = Känslighet
      """),
    CSVHeaderSet(
      "Thunderbird", "sv",
      """
      displayName = Visa
      firstName = Förnamn
      lastName = Efternamn
      nickname = Smeknamn
      company = Organisation
      department = Avdelning
      title = Titel
      birthYear = Född år
      birthMonth = Född månad
      birthDay = Född dag
      phone:fax = Faxnummer
      phone:home = Telefon privat
      phone:mobile = Mobiltelefon
      phone:pager = Personsökare
      phone:work = Telefon arbete
      email: = E-post
      email:#2 = Ytterligare e-post
      address:home:street1 = Adress privat (rad 1)
      address:home:street2 = Adress privat (rad 2)
      address:home:city = Stad privat
      address:home:state = Landsdel (Stat) privat
      address:home:zipcode = Postnummer privat
      address:home:country = Land privat
      address:work:street1 = Adress arbete (rad 1)
      address:work:street2 = Adress arbete (rad 2)
      address:work:city = Stad arbete
      address:work:state = Landsdel (Stat) arbete
      address:work:zipcode = Postnummer arbete
      address:work:country = Land arbete
      url:home = Webbplats arbete
      url:work = Webbplats privat
      im: = Skärmnamn
      note = Anteckningar
      """),
  ]
}
