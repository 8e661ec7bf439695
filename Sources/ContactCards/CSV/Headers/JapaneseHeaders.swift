// The columns of tables in Japanese, by their meaning. docs/tables.md names the source of each set.

extension CSVHeaderSet {
  static let japanese = [
    CSVHeaderSet(
      "Outlook", "ja",
      """
      namePrefix = 肩書き
      firstName = 名
      middleName = ミドル ネーム
      lastName = 姓
      nameSuffix = 敬称
      phoneticFirstName = 名前フリガナ
      phoneticLastName = 姓フリガナ
      company = 会社名
      department = 部署
      title = 役職
      role = 職業
      birthday = 誕生日
      anniversary = 記念日
      phone:assistant = 秘書の電話
      phone:callback = コールバック
      phone:car = 自動車電話
      phone:fax = その他の FAX
      phone:home = 自宅電話
      phone:home fax = 自宅 FAX
      phone:home#2 = 自宅電話 2
      phone:isdn = ISDN
      phone:main = 通常の電話
      phone:main#2 = 会社代表電話
      phone:mobile = 携帯電話
      phone:other = その他の電話
      phone:pager = ポケットベル
      phone:radio = 無線電話
      phone:telex = テレックス
      phone:text = TTY/TDD
      phone:work = 会社電話
      phone:work fax = 会社 FAX
      phone:work#2 = 会社電話 2
      email: = 電子メール アドレス
      email:#2 = 電子メール 2 アドレス
      email:#3 = 電子メール 3 アドレス
      address:home:street1 = 番地 (自宅)
      address:home:street2 = 住所 2 (自宅)
      address:home:street3 = 住所 3 (自宅)
      address:home:city = 市町村 (自宅)
      address:home:state = 都道府県 (自宅)
      address:home:zipcode = 郵便番号 (自宅)
      address:home:country = 国 (自宅)/地域
      address:home:poBox = 自宅住所私書箱
      address:other:street1 = 番地 (その他)
      address:other:street2 = 住所 2 (その他)
      address:other:street3 = 住所 3 (その他)
      address:other:city = 市町村 (その他)
      address:other:state = 都道府県 (その他)
      address:other:zipcode = 郵便番号 (その他)
      address:other:country = 国 (その他)/地域
      address:other:poBox = その他住所私書箱
      address:work:street1 = 番地 (会社)
      address:work:street2 = 住所 2 (会社)
      address:work:street3 = 住所 3 (会社)
      address:work:city = 市町村 (会社)
      address:work:state = 都道府県 (会社)
      address:work:zipcode = 郵便番号 (会社)
      address:work:country = 国 (会社)/地域
      address:work:poBox = 会社住所私書箱
      url: = Web ページ
      related:assistant = 秘書の氏名
      related:child = 子供
      related:manager = マネージャー
      related:referred by = 参照事項
      related:spouse = 配偶者
      categories = 分類
      note = メモ
      ignore = 電子メールの種類
      ignore = 電子メール 2 の種類
      ignore = 電子メール 2 表示名
      ignore = 優先度
      ignore = イニシャル
      ignore = 電子メール 3 の種類
      ignore = 電子メール表示名
      ignore = 電子メール 3 表示名
      ignore = 秘密度
      ignore = プライベート
      """),
    CSVHeaderSet(
      "Thunderbird", "ja",
      """
      displayName = 表示名
      firstName = 名
      lastName = 姓
      nickname = ニックネーム
      company = 組織
      department = 部門
      title = 役職
      birthYear = 誕生年
      birthMonth = 誕生月
      birthDay = 誕生日
      phone:fax = FAX 番号
      phone:home = 自宅の電話番号
      phone:mobile = 携帯電話番号
      phone:pager = ポケットベル番号
      phone:work = 勤務先の電話番号
      email: = メールアドレス
      email:#2 = 別のメールアドレス
      address:home:street1 = 番地 (自宅)
      address:home:street2 = 番地 (自宅) 2
      address:home:city = 市区町村 (自宅)
      address:home:state = 都道府県 (自宅)
      address:home:zipcode = 郵便番号 (自宅)
      address:home:country = 国 (自宅)
      address:work:street1 = 番地 (勤務先)
      address:work:street2 = 番地 (勤務先) 2
      address:work:city = 市区町村 (勤務先)
      address:work:state = 都道府県 (勤務先)
      address:work:zipcode = 郵便番号 (勤務先)
      address:work:country = 国 (勤務先)
      url:home = ウェブページ 2
      url:work = ウェブページ 1
      im: = スクリーンネーム
      note = メモ
      """),
  ]
}
