/** What the pages of a link say besides the widget's own words. */

export interface PageWords {
  /** Label of the field for words, where the survey has no question of its own for them. */
  readonly comment: string;
  readonly choose: string;
  readonly used: string;
  readonly expired: string;
  readonly unknown: string;
  /** Something failed, or too many asked at once. */
  readonly later: string;
}

type Said = readonly [
  comment: string,
  choose: string,
  used: string,
  expired: string,
  unknown: string,
  later: string,
];

const SAID: Readonly<Record<string, Said>> = {
  en: [
    'Would you like to add anything?',
    'Please choose a rating.',
    'This link has already been used.',
    'This link has expired.',
    'This link is not valid.',
    'That did not work. Please try again in a moment.',
  ],
  ar: [
    'هل تود إضافة أي شيء؟',
    'يرجى اختيار تقييم.',
    'سبق استخدام هذا الرابط.',
    'انتهت صلاحية هذا الرابط.',
    'هذا الرابط غير صالح.',
    'لم ينجح ذلك. يرجى المحاولة مرة أخرى بعد قليل.',
  ],
  cs: [
    'Chcete něco dodat?',
    'Vyberte prosím hodnocení.',
    'Tento odkaz už byl použit.',
    'Platnost tohoto odkazu vypršela.',
    'Tento odkaz není platný.',
    'To se nepodařilo. Zkuste to prosím za chvíli znovu.',
  ],
  da: [
    'Vil du tilføje noget?',
    'Vælg en vurdering.',
    'Dette link er allerede brugt.',
    'Dette link er udløbet.',
    'Dette link er ikke gyldigt.',
    'Det lykkedes ikke. Prøv igen om lidt.',
  ],
  de: [
    'Möchten Sie noch etwas hinzufügen?',
    'Bitte wählen Sie eine Bewertung.',
    'Dieser Link wurde schon benutzt.',
    'Dieser Link ist abgelaufen.',
    'Dieser Link ist nicht gültig.',
    'Das hat nicht geklappt. Bitte versuchen Sie es gleich noch einmal.',
  ],
  es: [
    '¿Quiere añadir algo?',
    'Elija una valoración.',
    'Este enlace ya se ha utilizado.',
    'Este enlace ha caducado.',
    'Este enlace no es válido.',
    'No ha funcionado. Vuelva a intentarlo en un momento.',
  ],
  fi: [
    'Haluatko lisätä jotain?',
    'Valitse arvio.',
    'Tätä linkkiä on jo käytetty.',
    'Tämä linkki on vanhentunut.',
    'Tämä linkki ei kelpaa.',
    'Se ei onnistunut. Yritä hetken kuluttua uudelleen.',
  ],
  fr: [
    'Souhaitez-vous ajouter quelque chose ?',
    'Veuillez choisir une note.',
    'Ce lien a déjà été utilisé.',
    'Ce lien a expiré.',
    'Ce lien n’est pas valide.',
    'Cela n’a pas fonctionné. Veuillez réessayer dans un instant.',
  ],
  he: [
    'רוצה להוסיף משהו?',
    'יש לבחור דירוג.',
    'כבר נעשה שימוש בקישור הזה.',
    'תוקף הקישור הזה פג.',
    'הקישור הזה אינו תקף.',
    'הפעולה לא הצליחה. יש לנסות שוב בעוד רגע.',
  ],
  it: [
    'Vuole aggiungere qualcosa?',
    'Scelga una valutazione.',
    'Questo link è già stato usato.',
    'Questo link è scaduto.',
    'Questo link non è valido.',
    'Non ha funzionato. Riprovi tra un momento.',
  ],
  ja: [
    '他にお伝えになりたいことはありますか？',
    '評価を選択してください。',
    'このリンクはすでに使用されています。',
    'このリンクの有効期限が切れています。',
    'このリンクは無効です。',
    'うまくいきませんでした。しばらくしてからもう一度お試しください。',
  ],
  ko: [
    '더 하고 싶은 말씀이 있으신가요?',
    '평점을 선택해 주세요.',
    '이미 사용된 링크입니다.',
    '만료된 링크입니다.',
    '유효하지 않은 링크입니다.',
    '처리하지 못했습니다. 잠시 후 다시 시도해 주세요.',
  ],
  nb: [
    'Vil du legge til noe?',
    'Velg en vurdering.',
    'Denne lenken er allerede brukt.',
    'Denne lenken er utløpt.',
    'Denne lenken er ikke gyldig.',
    'Det gikk ikke. Prøv igjen om litt.',
  ],
  nl: [
    'Wilt u nog iets toevoegen?',
    'Kies een beoordeling.',
    'Deze link is al gebruikt.',
    'Deze link is verlopen.',
    'Deze link is niet geldig.',
    'Dat is niet gelukt. Probeer het zo nog eens.',
  ],
  pl: [
    'Czy chcesz coś dodać?',
    'Wybierz ocenę.',
    'Ten link został już użyty.',
    'Ten link wygasł.',
    'Ten link jest nieprawidłowy.',
    'Nie udało się. Spróbuj ponownie za chwilę.',
  ],
  pt: [
    'Gostaria de acrescentar algo?',
    'Escolha uma avaliação.',
    'Este link já foi usado.',
    'Este link expirou.',
    'Este link não é válido.',
    'Não funcionou. Tente novamente daqui a pouco.',
  ],
  ru: [
    'Хотите что-нибудь добавить?',
    'Выберите оценку.',
    'Эта ссылка уже использована.',
    'Срок действия этой ссылки истёк.',
    'Эта ссылка недействительна.',
    'Не получилось. Попробуйте ещё раз чуть позже.',
  ],
  sv: [
    'Vill du lägga till något?',
    'Välj ett betyg.',
    'Den här länken har redan använts.',
    'Den här länken har gått ut.',
    'Den här länken är inte giltig.',
    'Det gick inte. Försök igen om en stund.',
  ],
  tr: [
    'Eklemek istediğiniz bir şey var mı?',
    'Lütfen bir puan seçin.',
    'Bu bağlantı zaten kullanılmış.',
    'Bu bağlantının süresi dolmuş.',
    'Bu bağlantı geçerli değil.',
    'Olmadı. Lütfen birazdan yeniden deneyin.',
  ],
  uk: [
    'Бажаєте щось додати?',
    'Виберіть оцінку.',
    'Це посилання вже використано.',
    'Термін дії цього посилання минув.',
    'Це посилання недійсне.',
    'Не вдалося. Спробуйте ще раз трохи згодом.',
  ],
  zh: [
    '您还有什么想补充的吗？',
    '请选择一个评分。',
    '此链接已被使用。',
    '此链接已过期。',
    '此链接无效。',
    '操作未成功，请稍后再试。',
  ],
};

/** @param language one of the widget's */
export function pageWords(language: string): PageWords {
  const [comment, choose, used, expired, unknown, later] = SAID[language] ??
    SAID.en ?? ['', '', '', '', '', ''];
  return { comment, choose, used, expired, unknown, later };
}
