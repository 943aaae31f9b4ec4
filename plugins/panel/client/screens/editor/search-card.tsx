import type { VNode } from "preact";
import { boot } from "../../boot.js";
import type { EditSession } from "./edit-session.js";
import { t } from "./editor-texts.js";

const MAX_TITLE = 60;
const MAX_DESCRIPTION = 160;

/** How a search engine shows the page, with what is missing or too long. */
export function SearchCard({ session }: { session: EditSession }): VNode | null {
  const { values } = session.text.frontMatter.value;
  if (values === null) return null;
  const title = `${String(values["title"] ?? "")} · ${boot.title}`;
  const given = values["description"] ?? values["summary"];
  const description = typeof given === "string" ? given : "";
  const advice = [
    title.length > MAX_TITLE ? t("seo.longTitle", { n: title.length, most: MAX_TITLE }) : "",
    description === "" ? t("seo.noDescription") : "",
    description.length > MAX_DESCRIPTION
      ? t("seo.longDescription", { n: description.length, most: MAX_DESCRIPTION })
      : "",
  ].filter((text) => text !== "");
  return (
    <section class="search-card" aria-label={t("seo.title")}>
      <h3>{t("seo.title")}</h3>
      <div class="search-result">
        <small class="dim">{`${location.host}${session.live.value.route}`}</small>
        <strong>{title}</strong>
        <span class="dim">{description === "" ? excerpt(session) : description}</span>
      </div>
      {advice.map((text) => (
        <p key={text} class="help">
          {text}
        </p>
      ))}
    </section>
  );
}

function excerpt(session: EditSession): string {
  const text = session.live.value.body.replace(/[#*_>`[\]]|\(\S*\)/g, "").trim();
  return text.slice(0, MAX_DESCRIPTION);
}
