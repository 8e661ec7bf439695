// The columns of tables in Polish, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let polish = [
    CSVHeaderSet(
      "Outlook", "pl",
      """
      namePrefix = Tytuł
      firstName = Imię
      middleName = Drugie imię
      lastName = Nazwisko
      nameSuffix = Sufiks
      phoneticFirstName = Imię Yomi
      phoneticLastName = Nazwisko Yomi
      company = Firma
      department = Dział
      title = Stanowisko
      role = Zawód
      birthday = Urodziny
      anniversary = Rocznica
      phone:assistant = Telefon asystenta
      phone:callback = Wywołanie zwrotne
      phone:car = Telefon w samochodzie
      phone:fax = Inny faks
      phone:home = Telefon domowy
      phone:home fax = Faks domowy
      phone:home#2 = Telefon domowy 2
      phone:isdn = ISDN
      phone:main = Telefon podstawowy
      phone:main#2 = Główny telefon do firmy
      phone:mobile = Telefon komórkowy
      phone:other = Inny telefon
      phone:pager = Pager
      phone:radio = Radiotelefon
      phone:telex = Teleks
      phone:text = Telefon TTY/TDD
      phone:work = Telefon służbowy
      phone:work fax = Faks służbowy
      phone:work#2 = Telefon służbowy 2
      email: = Adres e-mail
      email:#2 = Adres e-mail 2
      email:#3 = Adres e-mail 3
      address:home:street1 = Adres domowy - ulica
      address:home:street2 = Adres domowy - ulica (2)
      address:home:street3 = Adres domowy - ulica (3)
      address:home:city = Adres domowy - miejscowość
      address:home:state = Adres domowy - województwo
      address:home:zipcode = Adres domowy - kod pocztowy
      address:home:country = Adres domowy - kraj/region | Adres domowy - kraj
      address:home:poBox = Domowa skrzynka pocztowa
      address:other:street1 = Inny adres - ulica
      address:other:street2 = Inny adres - ulica 2
      address:other:street3 = Inny adres - ulica 3
      address:other:city = Inny adres - miejscowość
      address:other:state = Inny adres - województwo
      address:other:zipcode = Inny adres - kod pocztowy
      address:other:country = Inny adres - kraj/region | Inny adres - kraj
      address:other:poBox = Inna skrzynka pocztowa
      address:work:street1 = Adres służbowy - ulica
      address:work:street2 = Adres służbowy - ulica 2
      address:work:street3 = Adres służbowy - ulica 3
      address:work:city = Adres służbowy - miejscowość
      address:work:state = Adres służbowy - województwo
      address:work:zipcode = Adres służbowy - kod pocztowy
      address:work:country = Adres służbowy - kraj/region | Adres służbowy - kraj
      address:work:poBox = Służbowa skrzynka pocztowa
      url: = Strona sieci Web
      related:assistant = Imię i nazwisko asystenta
      related:child = Dzieci
      related:manager = Menedżer
      related:referred by = Osoba polecająca
      related:spouse = Współmałżonek
      categories = Kategorie
      note = Notatki
      ignore = Typ poczty e-mail
      ignore = Rodzaj e-mail 2
      ignore = Wyświetlana nazwa e-mail 2
      ignore = Priorytet
      ignore = Inicjały
      ignore = Rodzaj e-mail 3
      ignore = Wyświetlana nazwa e-mail
      ignore = Wyświetlana nazwa e-mail 3
      ignore = Charakter
      ignore = Prywatne
      ignore = Nazwa wyświetlana e-mail
      ignore = Nazwa wyświetlana e-mail 2
      ignore = Nazwa wyświetlana e-mail 3
      ignore = Typ e-mail
      """),
    CSVHeaderSet(
      "Thunderbird", "pl",
      """
      displayName = Wyświetlana nazwa
      firstName = Imię
      lastName = Nazwisko
      nickname = Pseudonim
      company = Firma/Organizacja
      department = Dział
      title = Stanowisko
      birthYear = Urodziny – Rok
      birthMonth = Urodziny – Miesiąc
      birthDay = Urodziny – Dzień
      phone:fax = Numer faksu
      phone:home = Telefon domowy
      phone:mobile = Numer telefonu komórkowego
      phone:pager = Pager
      phone:work = Telefonu służbowy
      email: = Podstawowy e-mail
      email:#2 = Dodatkowy e-mail
      address:home:street1 = Adres domowy
      address:home:street2 = Adres domowy 2
      address:home:city = Miasto (dom)
      address:home:state = Województwo (dom)
      address:home:zipcode = Kod pocztowy (dom)
      address:home:country = Państwo (dom)
      address:work:street1 = Adres służbowy
      address:work:street2 = Adres służbowy 2
      address:work:city = Miasto (praca)
      address:work:state = Województwo (praca)
      address:work:zipcode = Kod pocztowy (praca)
      address:work:country = Państwo (praca)
      url:home = Strona WWW 2
      url:work = Strona WWW 1
      im: = Komunikator AIM
      note = Notatki
      """),
  ]
}
