// The columns of tables in Spanish, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let spanish = [
    CSVHeaderSet(
      "Outlook", "es",
      """
      namePrefix = Title
      firstName = Nombre
      middleName = Segundo nombre
      lastName = Apellidos
      nameSuffix = Suffix
      phoneticFirstName = Yomi especificada
      phoneticLastName = Apellido Yomi
      company = Organización
      department = Department
      title = Puesto
      role = Profesión
      birthday = Birthday
      anniversary = Anniversary
      phone:assistant = Assistant's Phone
      phone:callback = Devolución de llamada
      phone:car = Car Phone
      phone:fax = Otro fax
      phone:home = Particular
      phone:home fax = Home Fax
      phone:home#2 = Home Phone 2
      phone:isdn = ISDN
      phone:main = Teléfono principal
      phone:main#2 = Número de centralita de la organización
      phone:mobile = Mobile Phone
      phone:other = Otro teléfono
      phone:pager = Pager
      phone:radio = Radioteléfono
      phone:telex = Télex
      phone:text = Número de teletipo
      phone:work = Teléfono del trabajo
      phone:work fax = Business Fax
      phone:work#2 = Business Phone 2 | Teléfono del trabajo 2
      email: = E-mail Address | Dirección de correo electrónico
      email:#2 = Dirección de correo electrónico 2
      email:#3 = Dirección del correo electrónico 3
      address:home:street1 = Home Street
      address:home:street2 = Home Street 2
      address:home:street3 = Home Street 3
      address:home:city = Home City
      address:home:state = Home State
      address:home:zipcode = Home Postal Code
      address:home:country = País o región del domicilio
      address:home:poBox = Apartado postal de la dirección personal
      address:other:street1 = Otra calle
      address:other:street2 = Otra calle 2
      address:other:street3 = Otra calle 3
      address:other:city = Otra ciudad
      address:other:state = Otra provincia o estado
      address:other:zipcode = Otro código postal
      address:other:country = Otro país o región
      address:other:poBox = Otro apartado postal
      address:work:street1 = Calle del trabajo
      address:work:street2 = Calle del trabajo 2
      address:work:street3 = Calle del trabajo 3
      address:work:city = Ciudad de trabajo
      address:work:state = Provincia o estado de trabajo
      address:work:zipcode = Código postal del trabajo
      address:work:country = País o región del trabajo
      address:work:poBox = Apartado postal de la dirección del trabajo
      url: = Página web
      related:assistant = Assistant's Name
      related:child = Hijos
      related:manager = Nombre del director
      related:spouse = Spouse
      categories = Categorías
      note = Notes | Notas
      ignore = E-mail Type
      ignore = Tipo de correo electrónico 2
      ignore = Nombre de pantalla de correo electrónico 2
      ignore = Prioridad
      ignore = Initials
      ignore = Tipo de correo electrónico 3
      ignore = Nombre de pantalla de correo electrónico
      ignore = Nombre de pantalla de correo electrónico 3
      ignore = Confidencialidad
      """),
    CSVHeaderSet(
      "Thunderbird", "es",
      """
      displayName = Nombre mostrado
      firstName = Nombre
      lastName = Apellidos
      nickname = Apodo
      company = Organización
      department = Departamento
      title = Puesto
      birthYear = Año de nacimiento
      birthMonth = Mes de nacimiento
      birthDay = Día de nacimiento
      phone:fax = Fax
      phone:home = Teléfono particular
      phone:mobile = Teléfono móvil
      phone:pager = Buscapersonas
      phone:work = Teléfono (Trabajo)
      email: = Dirección de correo electrónico principal
      email:#2 = Dirección de correo electrónico secundaria
      address:home:street1 = Dirección personal
      address:home:street2 = Dirección personal 2
      address:home:city = Ciudad donde vive
      address:home:state = Provincia
      address:home:zipcode = Código postal
      address:home:country = País de residencia
      address:work:street1 = Dirección de trabajo
      address:work:street2 = Dirección de trabajo 2
      address:work:city = Ciudad (Trabajo)
      address:work:state = Provincia (Trabajo)
      address:work:zipcode = Código postal (Trabajo)
      address:work:country = País (Trabajo)
      url:home = Página web 2
      url:work = Página web 1
      im: = Nombre en pantalla
      note = Notas
      """),
  ]
}
