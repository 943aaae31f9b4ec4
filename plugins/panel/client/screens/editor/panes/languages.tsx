import { Languages as LanguagesIcon } from "lucide";
import type { VNode } from "preact";
import { call, type Item } from "../../../api/request.js";
import { may } from "../../../api/session.js";
import type { PageTranslations } from "../../../api/answers.js";
import { editPath, href, navigate } from "../../../app/router.js";
import { languageName, texts } from "../../../app/texts.js";
import { attempt, done } from "../../../app/toasts.js";
import de from "../../../locales/de/languages.json";
import en from "../../../locales/en/languages.json";
import { Icon } from "../../../parts/icon.js";
import { useLoaded } from "../../../parts/loading.js";
import { EditedText } from "../front-matter/edited-text.js";
import { setKey } from "../front-matter/set-key.js";
import { Menu } from "../../../parts/menu.js";
import type { EditSession } from "../saving/edit-session.js";

type PageTranslation = Item<"GET /translations/*path">;

interface LanguagesProps {
  session: EditSession;
  /** Shows the original beside the text. */
  onSource(): void;
}

/** Switches the language of the page, says what is missing, and begins translations. */
export default function Languages({ session, onSource }: LanguagesProps): VNode | null {
  const translations = useLoaded(session.live.value.hash, () =>
    call("GET /translations/*path", { params: { path: session.path }, isBackground: true }),
  );
  const { data } = translations;
  if (data === undefined || data.items.length < 2) return null;
  const n = data.items.filter(({ state }) => state === "missing").length;
  const { lang: code } = data;
  const isTranslation = data.items.some(({ state, lang }) => state === "original" && lang !== code);
  const label = `${t("current", { name: languageName(code), code })}${n > 0 ? ` · ${t("missing", { n })}` : ""}`;
  return (
    <Menu
      label={null}
      summary={
        <>
          <span class="visually-hidden">{label}</span>
          <Icon of={LanguagesIcon} />
          <span class="language-code" aria-hidden="true">
            {code}
          </span>
          {n > 0 && (
            <span class="badge warn" aria-hidden="true">
              {n}
            </span>
          )}
        </>
      }
    >
      {data.items.map((item) => (
        <Entry key={item.lang} item={item} all={data} session={session} />
      ))}
      {isTranslation && (
        <button type="button" class="entry" onClick={onSource}>
          {t("source")}
        </button>
      )}
    </Menu>
  );
}

interface EntryProps {
  item: PageTranslation;
  /** All languages of the page. */
  all: PageTranslations;
  session: EditSession;
}

function Entry({ item, all, session }: EntryProps): VNode | null {
  const text = `${languageName(item.lang)}: ${t(`state.${item.state}`)}`;
  if (item.state !== "missing") {
    return (
      <a
        class="entry"
        href={href(editPath(item.sourcePath))}
        aria-current={item.lang === all.lang ? "page" : undefined}
        data-screen
      >
        {text}
      </a>
    );
  }
  const { lacks } = session.live.value;
  // A translation is a part of the page.
  if (!may("pages.create") || lacks?.includes("pages.update") === true)
    return <span class="entry dim">{text}</span>;
  return (
    <button
      type="button"
      class="entry"
      onClick={() =>
        void attempt(async () => {
          await translate(session, all, item.sourcePath);
          navigate(`${editPath(item.sourcePath)}?source`);
          done(t("created"));
        })
      }
    >
      {text}
    </button>
  );
}

/** Texts of translations. */
export const t = texts({ en, de });
/** Key of the front matter: the version of the original that a translation was made from. */
export const TRANSLATED_FROM = "translated_from";

/** Creates a translation as a copy of the shown text: a draft that names the version of the original. */
async function translate(
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
