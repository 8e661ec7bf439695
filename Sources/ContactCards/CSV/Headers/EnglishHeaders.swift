// The columns of tables in English, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let english = [
    CSVHeaderSet(
      "Outlook", "en",
      """
      namePrefix = Title
      firstName = First Name | FirstName
      middleName = Middle Name | MiddleName
      lastName = Last Name | LastName
      nameSuffix = Suffix
      phoneticFirstName = Given Yomi
      phoneticLastName = Surname Yomi
      nickname = Nickname
      company = Company
      department = Department
      title = Job Title | JobTitle
      role = Profession
      birthday = Birthday
      anniversary = Anniversary
      phone:assistant = Assistant's Phone
      phone:callback = Callback
      phone:car = Car Phone
      phone:fax = Other Fax
      phone:home = Home Phone
      phone:home fax = Home Fax
      phone:home#2 = Home Phone 2
      phone:isdn = ISDN
      phone:main = Primary Phone
      phone:main#2 = Company Main Phone
      phone:mobile = Mobile Phone
      phone:other = Other Phone
      phone:pager = Pager
      phone:radio = Radio Phone
      phone:telex = Telex
      phone:text = TTY/TDD Phone
      phone:work = Business Phone
      phone:work fax = Business Fax
      phone:work#2 = Business Phone 2
      email: = E-mail Address | E-mail
      email:#2 = E-mail 2 Address | E-mail2
      email:#3 = E-mail 3 Address
      address:home:street1 = Home Street | HomeStreet
      address:home:street2 = Home Street 2 | HomeStreet2
      address:home:street3 = Home Street 3 | HomeStreet3
      address:home:city = Home City | HomeCity
      address:home:state = Home State | HomeState
      address:home:zipcode = Home Postal Code | HomePostalCode
      address:home:country = Home Country/Region | HomeCountry | Home Country
      address:home:poBox = Home Address PO Box
      address:home:whole = Home Address
      address:other:street1 = Other Street
      address:other:street2 = Other Street 2
      address:other:street3 = Other Street 3
      address:other:city = Other City
      address:other:state = Other State
      address:other:zipcode = Other Postal Code
      address:other:country = Other Country/Region | Other Country
      address:other:poBox = Other Address PO Box
      address:other:whole = Other Address
      address:work:street1 = Business Street | BusinessStreet
      address:work:street2 = Business Street 2 | BusinessStreet2
      address:work:street3 = Business Street 3 | BusinessStreet3
      address:work:city = Business City | BusinessCity
      address:work:state = Business State | BusinessState
      address:work:zipcode = Business Postal Code | BusinessPostalCode
      address:work:country = Business Country/Region | BusinessCountry | Business Country
      address:work:poBox = Business Address PO Box
      address:work:whole = Business Address
      url: = Web Page | WebPage
      url:home = Personal Web Page
      im: = IMAddress
      related:assistant = Assistant's Name
      related:child = Children
      related:manager = Manager's Name
      related:referred by = Referred By
      related:spouse = Spouse
      categories = Categories
      note = Notes
      ignore = E-mail Type
      ignore = E-mail Display Name
      ignore = E-mail 2 Type
      ignore = E-mail 2 Display Name
      ignore = E-mail 3 Type
      ignore = E-mail 3 Display Name
      ignore = Initials
      ignore = Priority
      ignore = Private
      ignore = Sensitivity
      """),
    CSVHeaderSet(
      "Thunderbird", "en",
      """
      displayName = Display Name
      firstName = First Name
      lastName = Last Name
      nickname = Nickname
      company = Organization
      department = Department
      title = Job Title
      birthYear = Birth Year
      birthMonth = Birth Month
      birthDay = Birth Day
      phone:fax = Fax Number
      phone:home = Home Phone
      phone:mobile = Mobile Number
      phone:pager = Pager Number
      phone:work = Work Phone
      email: = Primary Email
      email:#2 = Secondary Email
      address:home:street1 = Home Address
      address:home:street2 = Home Address 2
      address:home:city = Home City
      address:home:state = Home State
      address:home:zipcode = Home ZipCode
      address:home:country = Home Country
      address:work:street1 = Work Address
      address:work:street2 = Work Address 2
      address:work:city = Work City
      address:work:state = Work State
      address:work:zipcode = Work ZipCode
      address:work:country = Work Country
      url:home = Web Page 2
      url:work = Web Page 1
      im: = Screen Name
      note = Notes
      """),
    CSVHeaderSet(
      "Outlook Express", "en",
      """
      displayName = Name
      firstName = First Name
      middleName = Middle Name
      lastName = Last Name
      nickname = Nickname
      company = Company
      department = Department
      title = Job Title
      phone:home = Home Phone
      phone:home fax = Home Fax
      phone:mobile = Mobile Phone
      phone:pager = Pager
      phone:work = Business Phone
      phone:work fax = Business Fax
      email: = E-mail Address
      address:home:street1 = Home Street
      address:home:city = Home City
      address:home:state = Home State
      address:home:zipcode = Home Postal Code
      address:home:country = Home Country/Region
      address:work:street1 = Business Street
      address:work:city = Business City
      address:work:state = Business State
      address:work:zipcode = Business Postal Code
      address:work:country = Business Country/Region
      url:home = Personal Web Page
      url:work = Business Web Page
      note = Notes
      """),
    CSVHeaderSet(
      "Yahoo", "en",
      """
      firstName = First
      middleName = Middle
      lastName = Last
      nickname = Nickname
      company = Company
      title = Title
      birthday = Birthday
      anniversary = Anniversary
      phone: = Yahoo Phone
      phone:fax = Fax
      phone:home = Home
      phone:mobile = Mobile
      phone:other = Other
      phone:pager = Pager
      phone:work = Work
      email: = Email
      email:#2 = Alternate Email 1
      email:#3 = Alternate Email 2
      address:home:street1 = Home Address
      address:home:city = Home City
      address:home:state = Home State
      address:home:zipcode = Home ZIP
      address:home:country = Home Country
      address:work:street1 = Work Address
      address:work:city = Work City
      address:work:state = Work State
      address:work:zipcode = Work ZIP
      address:work:country = Work Country
      url:home = Personal Website
      url:work = Business Website
      im: = Messenger ID
      im:#10 = Messenger ID9
      im:#2 = Messenger ID1
      im:#3 = Messenger ID2
      im:#4 = Messenger ID3
      im:#5 = Messenger ID4
      im:#6 = Messenger ID5
      im:#7 = Messenger ID6
      im:#8 = Messenger ID7
      im:#9 = Messenger ID8
      im:aim = AIM ID
      im:google = Google ID
      im:icq = ICQ ID
      im:irc = IRC ID
      im:msn = MSN ID
      im:qq = QQ ID
      im:skype = Skype ID
      categories = Category
      group = Distribution Lists
      note = Comments
      """),
    CSVHeaderSet(
      "Yahoo, 2007", "en",
      """
      phone: = Yahoo! Phone
      address:home:city = Home Town
      address:home:state = Home County
      address:home:zipcode = Home Post Code
      address:work:state = Work County
      address:work:zipcode = Work Post Code
      im: = Yahoo! ID
      """),
    CSVHeaderSet(
      "LinkedIn", "en",
      """
      firstName = First Name
      lastName = Last Name
      company = Company
      title = Position
      email: = Email Address
      url: = URL
      """),
  ]
}
