// The columns of tables in French, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let french = [
    CSVHeaderSet(
      "Outlook", "fr",
      """
      namePrefix = Titre
      firstName = Prénom
      middleName = Deuxième prénom
      lastName = Nom
      nameSuffix = Suffixe
      phoneticFirstName = Prénom Yomi
      phoneticLastName = Nom Yomi
      company = Société
      department = Service
      title = Titre [2]
      role = Profession
      birthday = Anniversaire
      anniversary = Anniversaire de mariage ou fête
      phone:assistant = Téléphone de l'assistant(e)
      phone:callback = Rappel
      phone:car = Téléphone (voiture)
      phone:fax = Télécopie (autre)
      phone:home = Téléphone (domicile)
      phone:home fax = Télécopie (domicile)
      phone:home#2 = Téléphone 2 (domicile)
      phone:isdn = RNIS
      phone:main = Téléphone principal
      phone:main#2 = Téléphone société
      phone:mobile = Tél. mobile
      phone:other = Téléphone (autre)
      phone:pager = Récepteur de radiomessagerie
      phone:radio = Radio téléphone | Radiotéléphone
      phone:telex = Télex
      phone:text = Téléphone TDD/TTY
      phone:work = Téléphone (bureau)
      phone:work fax = Télécopie (bureau)
      phone:work#2 = Téléphone 2 (bureau)
      email: = Adresse de messagerie | Adresse de courrier
      email:#2 = Adresse de messagerie 2 | Adresse de courrier 2
      email:#3 = Adresse de messagerie 3 | Adresse de courrier 3
      address:home:street1 = Rue (domicile)
      address:home:street2 = Rue (domicile) 2
      address:home:street3 = Rue (domicile) 3
      address:home:city = Ville (domicile)
      address:home:state = Dép/Région (domicile)
      address:home:zipcode = Code postal (domicile)
      address:home:country = Pays/Région (domicile)
      address:home:poBox = Boîte postale du domicile
      address:other:street1 = Rue (autre)
      address:other:street2 = Rue (autre) 2
      address:other:street3 = Rue (autre) 3
      address:other:city = Ville (autre)
      address:other:state = Dép/Région (autre)
      address:other:zipcode = Code postal (autre)
      address:other:country = Pays/Région (autre)
      address:other:poBox = Autre boîte postale
      address:work:street1 = Rue (bureau)
      address:work:street2 = Rue (bureau) 2
      address:work:street3 = Rue (bureau) 3
      address:work:city = Ville (bureau)
      address:work:state = Dép/Région (bureau)
      address:work:zipcode = Code postal (bureau)
      address:work:country = Pays/Région (bureau)
      address:work:poBox = B.P. professionnelle
      url: = Page Web
      related:assistant = Nom de l'assistant(e)
      related:child = Enfants
      related:manager = Responsable
      related:referred by = Recommandé par
      related:spouse = Conjoint(e)
      categories = Catégories
      note = Notes
      ignore = Type de messagerie
      ignore = Type de messagerie 2
      ignore = Nom complet de l'adresse de messagerie 2
      ignore = Priorité
      ignore = Initiales
      ignore = Type de messagerie 3
      ignore = Nom complet de l'adresse de messagerie
      ignore = Nom complet de l'adresse de messagerie 3
      ignore = Critère de diffusion
      ignore = Privé
      ignore = Type de courrier
      ignore = Nom complet de l'adresse de courrier
      ignore = Type de courrier 2
      ignore = Nom complet de l'adresse de courrier 2
      ignore = Type de courrier 3
      ignore = Nom complet de l'adresse de courrier 3
      """),
    CSVHeaderSet(
      "Thunderbird", "fr",
      """
      displayName = Nom à afficher
      firstName = Prénom
      lastName = Nom de famille
      nickname = Surnom
      company = Société
      department = Service
      title = Profession
      birthYear = Année de naissance
      birthMonth = Mois
      birthDay = Jour
      phone:fax = Fax
      phone:home = Tél. personnel
      phone:mobile = Portable
      phone:pager = Pager
      phone:work = Tél. professionnel
      email: = Adresse e-mail principale
      email:#2 = Adresse e-mail secondaire
      address:home:street1 = Adresse privée
      address:home:street2 = Adresse privée 2
      address:home:city = Ville
      address:home:state = Pays/État
      address:home:zipcode = Code postal
      address:home:country = Pays/Région (domicile)
      address:work:street1 = Adresse professionnelle
      address:work:street2 = Adresse professionnelle 2
      address:work:city = Ville [2]
      address:work:state = Pays/État [2]
      address:work:zipcode = Code postal [2]
      address:work:country = Pays/Région (bureau)
      url:home = Site web 2
      url:work = Site web 1
      im: = Nom de l’écran
      note = Notes
      """),
    CSVHeaderSet(
      "Thunderbird, older", "fr",
      """
      email: = Adresse électronique principale
      email:#2 = Adresse électronique secondaire
      url:home = Site Web 2
      url:work = Site Web 1
      """),
  ]
}
