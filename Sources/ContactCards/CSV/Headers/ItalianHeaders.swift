// The columns of tables in Italian, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let italian = [
    CSVHeaderSet(
      "Outlook", "it",
      """
      namePrefix = Titolo
      firstName = Nome
      middleName = Secondo nome
      lastName = Cognome
      nameSuffix = Titolo straniero
      phoneticFirstName = Given Yomi
      phoneticLastName = Surname Yomi
      company = Società
      department = Reparto
      title = Posizione
      role = Professione
      birthday = Compleanno
      anniversary = Anniversario
      phone:assistant = Telefono assistente
      phone:callback = Richiamata automatica
      phone:car = Telefono auto
      phone:fax = Altro fax
      phone:home = Abitazione
      phone:home fax = Fax (ab.)
      phone:home#2 = Abitazione 2
      phone:isdn = ISDN
      phone:main = Telefono principale
      phone:main#2 = Telefono principale società
      phone:mobile = Cellulare
      phone:other = Altro telefono
      phone:pager = Cercapersone
      phone:radio = Radiotelefono
      phone:telex = Telex
      phone:text = Telefono TTY/TDD
      phone:work = Ufficio
      phone:work fax = Fax (uff.)
      phone:work#2 = Ufficio 2
      email: = Indirizzo posta elettronica
      email:#2 = Indirizzo posta elettronica 2
      email:#3 = Indirizzo posta elettronica 3
      address:home:street1 = Via (ab.)
      address:home:street2 = Via (ab.) 2
      address:home:street3 = Via (ab.) 3
      address:home:city = Città (ab.)
      address:home:state = Provincia (ab.)
      address:home:zipcode = CAP (ab.)
      address:home:country = Paese (ab.) | Paese/area geografica (ab.)
      address:home:poBox = Indirizzo (ab.) - Casella postale
      address:other:street1 = Altra via
      address:other:street2 = Altra via 2
      address:other:street3 = Altra via 3
      address:other:city = Altra città
      address:other:state = Altra provincia
      address:other:zipcode = Altro CAP
      address:other:country = Altro paese | Altro paese/area geografica
      address:other:poBox = Altro indirizzo - Casella postale
      address:work:street1 = Via (uff.)
      address:work:street2 = Via (uff.) 2
      address:work:street3 = Via (uff.) 3
      address:work:city = Città (uff.)
      address:work:state = Provincia (uff.)
      address:work:zipcode = CAP (uff.)
      address:work:country = Paese (uff.) | Paese/area geografica (uff.)
      address:work:poBox = Indirizzo (uff.) - Casella postale
      url: = Pagina Web
      related:assistant = Nome assistente
      related:child = Figli
      related:manager = Nome manager
      related:referred by = Presentato da
      related:spouse = Nome coniuge | Nome coniuge/partner
      categories = Categorie
      note = Notes
      ignore = Tipo posta elettronica
      ignore = Tipo posta elettronica 2
      ignore = Nome visualizzato posta elettronica 2
      ignore = Priorità
      ignore = Iniziali
      ignore = Tipo posta elettronica 3
      ignore = Nome visualizzato posta elettronica
      ignore = Nome visualizzato posta elettronica 3
      ignore = Riservatezza
      ignore = Privato
      """),
    CSVHeaderSet(
      "Thunderbird", "it",
      """
      displayName = Nome visualizzato
      firstName = Nome
      lastName = Cognome
      nickname = Soprannome
      company = Organizzazione
      department = Reparto
      title = Qualifica
      birthYear = Anno di nascita
      birthMonth = Mese di nascita
      birthDay = Giorno di nascita
      phone:fax = Numero fax
      phone:home = Telefono casa
      phone:mobile = Numero cellulare
      phone:pager = Numero cercapersone
      phone:work = Telefono lavoro
      email: = Email principale
      email:#2 = Email secondaria
      address:home:street1 = Indirizzo di casa
      address:home:street2 = Indirizzo di casa 2
      address:home:city = Città di residenza
      address:home:state = Provincia di residenza
      address:home:zipcode = CAP di residenza
      address:home:country = Nazione di residenza
      address:work:street1 = Indirizzo di lavoro
      address:work:street2 = Indirizzo di lavoro 2
      address:work:city = Città di lavoro
      address:work:state = Provincia di lavoro
      address:work:zipcode = CAP di lavoro
      address:work:country = Nazione di lavoro
      url:home = Pagina web 2
      url:work = Pagina web 1
      im: = Nome Instant Messenger
      note = Note
      """),
  ]
}
