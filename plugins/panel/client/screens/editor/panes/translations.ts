import { language, texts } from "../../../app/texts.js";
import de from "../../../locales/de/languages.json";
import en from "../../../locales/en/languages.json";
import { EditedText } from "../front-matter/edited-text.js";
import { setKey } from "../front-matter/set-key.js";
import type { EditSession } from "../saving/edit-session.js";
import { call } from "../../../api/request.js";
import type { PageTranslations } from "../../../api/types.js";

/** Texts of translations. */
export const t = texts({ en, de });
/** Key of the front matter: the version of the original that a translation was made from. */
export const TRANSLATED_FROM = "translated_from";

const names = new Intl.DisplayNames([language], { type: "language" });

/** A language in the words of the person; its code when there are none. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Creates a translation as a copy of the shown text: a draft that names the version of the original. */
export async function translate(
  session: EditSession,
  { stamp }: PageTranslations,
  sourcePath: string,
): Promise<void> {
  await session.flush();
  const copy = new EditedText(session.text.text, setKey);
  copy.set("slug", undefined);
  copy.set("status", "draft");
  if (stamp !== null) copy.set(TRANSLATED_FROM, stamp);
  await call("POST /pages", { body: { path: sourcePath, content: copy.text } });
}
