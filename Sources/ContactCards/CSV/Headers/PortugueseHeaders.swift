// The columns of tables in Portuguese, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let portuguese = [
    CSVHeaderSet(
      "Outlook", "pt-PT",
      """
      namePrefix = Título
      firstName = Primeiro nome
      middleName = Outros nomes/apelidos
      lastName = Apelido
      nameSuffix = Sufixo
      phoneticFirstName = Given Yomi
      phoneticLastName = Surname Yomi
      company = Empresa
      department = Departamento
      title = Cargo
      role = Profissão
      birthday = Data de nascimento
      anniversary = Aniversário
      phone:assistant = Telefone do assistente
      phone:callback = Tel. de resposta
      phone:car = Telefone do carro
      phone:fax = Outro fax
      phone:home = Telefone da residência
      phone:home fax = Fax da residência
      phone:home#2 = 2º telefone da residência
      phone:isdn = RDIS
      phone:main = Telefone principal
      phone:main#2 = Telefone principal da empresa
      phone:mobile = Telemóvel
      phone:other = Outro telefone
      phone:pager = Pager
      phone:radio = Radiotelefone
      phone:telex = Telex
      phone:text = Telefone TTY/TDD
      phone:work = Telefone da empresa
      phone:work fax = Fax da empresa
      phone:work#2 = 2º telefone da empresa
      email: = Endereço de correio electrónico
      email:#2 = Endereço do correio electrónico 2
      email:#3 = Endereço do correio electrónico 3
      address:home:street1 = Rua da residência
      address:home:street2 = Rua da residência (2)
      address:home:street3 = Rua da residência (3)
      address:home:city = Localidade da residência
      address:home:state = Distrito da residência
      address:home:zipcode = Código postal da residência
      address:home:country = País da Residência/Região
      address:home:poBox = Apartado da residência
      address:other:street1 = Rua do outro endereço
      address:other:street2 = Rua do outro endereço 2
      address:other:street3 = Rua do outro endereço 3
      address:other:city = Localidade do outro endereço
      address:other:state = Distrito do outro endereço
      address:other:zipcode = Código postal do outro endereço
      address:other:country = Outro País/Região
      address:other:poBox = Apartado do outro endereço
      address:work:street1 = Rua da empresa
      address:work:street2 = Rua da empresa 2
      address:work:street3 = Rua da empresa 3
      address:work:city = Localidade da empresa
      address:work:state = Distrito da empresa
      address:work:zipcode = Código postal da empresa
      address:work:country = País/Região da Empresa
      address:work:poBox = Apartado da empresa
      url: = Página na Web
      related:assistant = Nome do assistente
      related:child = Filhos
      related:manager = Nome do gestor
      related:spouse = Cônjuge
      categories = Categorias
      note = Notas
      ignore = Tipo de correio electrónico
      ignore = Tipo de correio electrónico 2
      ignore = Nome a apresentar para o correio electrónico 2
      ignore = Prioridade
      ignore = Iniciais
      ignore = Tipo de correio electrónico 3
      ignore = Nome a apresentar para o correio electrónico
      ignore = Nome a apresentar para o correio electrónico 3
      ignore = Confidencialidade
      """),
    CSVHeaderSet(
      "Thunderbird", "pt-PT",
      """
      displayName = Nome exibido
      firstName = Nome
      lastName = Apelido
      nickname = Nickname
      company = Organização
      department = Departamento
      title = Profissão
      birthYear = Ano de nascimento
      birthMonth = Mês de nascimento
      birthDay = Dia de nascimento
      phone:fax = Número de fax
      phone:home = Telefone de casa
      phone:mobile = Número de telemóvel
      phone:pager = Número de pager
      phone:work = Telefone profissional
      email: = E-mail principal
      email:#2 = E-mail secundário
      address:home:street1 = Endereço pessoal
      address:home:street2 = Endereço pessoal 2
      address:home:city = Naturalidade
      address:home:state = Distrito
      address:home:zipcode = Código postal
      address:home:country = Nacionalidade
      address:work:street1 = Endereço profissional
      address:work:street2 = Endereço profissional 2
      address:work:city = Local de trabalho
      address:work:state = Distrito do local de trabalho
      address:work:zipcode = Código postal do local de trabalho
      address:work:country = País do local de trabalho
      url:home = Página web 2
      url:work = Página web 1
      im: = Nome a mostrar
      note = Notas
      """),
  ]
}
