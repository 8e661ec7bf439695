// The columns of tables in Brazilian Portuguese, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let brazilianPortuguese = [
    CSVHeaderSet(
      "Outlook", "pt-BR",
      """
      namePrefix = Tratamento
      firstName = Primeiro nome
      middleName = Segundo nome
      lastName = Sobrenome
      nameSuffix = Sufixo
      phoneticFirstName = Yomi fornecido
      phoneticLastName = Yomi (sobrenome)
      company = Empresa
      department = Departamento
      title = Cargo
      role = Profissão
      birthday = Birthday
      anniversary = Datas especiais
      phone:assistant = Telefone do assistente
      phone:callback = Retorno de chamada
      phone:car = Telefone do carro
      phone:fax = Outro fax
      phone:home = Telefone residencial
      phone:home fax = Fax residencial
      phone:home#2 = Telefone residencial 2
      phone:isdn = ISDN
      phone:main = Telefone principal
      phone:main#2 = Telefone principal da empresa
      phone:mobile = Telefone celular
      phone:other = Outro telefone
      phone:pager = Pager
      phone:radio = Radiofone
      phone:telex = Telex
      phone:text = Telefone TTY/TDD
      phone:work = Telefone comercial
      phone:work fax = Fax comercial
      phone:work#2 = Telefone comercial 2
      email: = E-mail Address
      email:#2 = Endereço de email 2
      email:#3 = Endereço de email 3
      address:home:street1 = Endereço residencial
      address:home:street2 = Endereço residencial 2
      address:home:street3 = Endereço residencial 3
      address:home:city = Cidade do endereço residencial
      address:home:state = Estado
      address:home:zipcode = CEP do endereço residencial
      address:home:country = País/Região de Residência
      address:home:poBox = Caixa postal do endereço residencial
      address:other:street1 = Outro endereço
      address:other:street2 = Outro endereço 2
      address:other:street3 = Outro endereço 3
      address:other:city = Cidade
      address:other:state = Outro Estado
      address:other:zipcode = CEP
      address:other:country = Outro País/Região
      address:other:poBox = Caixa postal de outro endereço
      address:work:street1 = Business Street
      address:work:street2 = Rua do endereço comercial 2
      address:work:street3 = Rua do endereço comercial 3
      address:work:city = Business City
      address:work:state = Business State
      address:work:zipcode = Business Postal Code
      address:work:country = País/Região da Empresa
      address:work:poBox = Caixa postal do endereço comercial
      url: = Página da Web
      related:assistant = Nome do assistente
      related:child = Filhos
      related:manager = Nome do gerenciador
      related:referred by = Indicação
      related:spouse = Spouse
      categories = Categorias
      note = Anotações
      ignore = Tipo de email
      ignore = Tipo de email 2
      ignore = Nome para exibição do email 2
      ignore = Prioridade
      ignore = Iniciais
      ignore = Tipo de email 3
      ignore = Nome para exibição do email
      ignore = Nome para exibição do email 3
      ignore = Sensibilidade
      ignore = Particular
      """),
    CSVHeaderSet(
      "Thunderbird", "pt-BR",
      """
      displayName = Nome de exibição
      firstName = Primeiro nome
      lastName = Sobrenome
      nickname = Apelido
      company = Organização
      department = Setor
      title = Cargo
      birthYear = Ano de nascimento
      birthMonth = Mês de nascimento
      birthDay = Data de nascimento
      phone:fax = Número do fax
      phone:home = Telefone residencial
      phone:mobile = Número do celular
      phone:pager = Número do pager
      phone:work = Telefone comercial
      email: = Email principal
      email:#2 = Email secundário
      address:home:street1 = Endereço
      address:home:street2 = Endereço 2
      address:home:city = Cidade
      address:home:state = Estado
      address:home:zipcode = CEP
      address:home:country = País
      address:work:street1 = Endereço comercial
      address:work:street2 = Endereço comercial 2
      address:work:city = Cidade de trabalho
      address:work:state = Estado de trabalho
      address:work:zipcode = CEP comercial
      address:work:country = País de trabalho
      url:home = Página web 2
      url:work = Página web 1
      im: = Nome de tela
      note = Notas
      """),
  ]
}
