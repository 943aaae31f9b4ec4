/** Words that rendered Markdown shows on its own, by language. */

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  en: { toc: "Contents" },
  de: {
    note: "Hinweis",
    tip: "Tipp",
    info: "Info",
    important: "Wichtig",
    warning: "Warnung",
    caution: "Vorsicht",
    danger: "Gefahr",
    success: "Erfolg",
    toc: "Inhalt",
  },
  fr: {
    tip: "Astuce",
    warning: "Attention",
    caution: "Prudence",
    success: "Réussite",
    details: "Détails",
    toc: "Sommaire",
  },
  ar: {
    note: "ملاحظة",
    tip: "نصيحة",
    info: "معلومات",
    important: "مهم",
    warning: "تحذير",
    caution: "انتباه",
    danger: "خطر",
    success: "نجاح",
    details: "تفاصيل",
    toc: "المحتويات",
  },
};

/** The title of a callout, or another word, in a language; English where it has none. */
export function wordOf(key: string, lang: string): string {
  const own = WORDS[lang.split("-", 1)[0] ?? ""]?.[key] ?? WORDS["en"]?.[key];
  return own ?? key.slice(0, 1).toUpperCase() + key.slice(1);
}
