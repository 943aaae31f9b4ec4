import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { boot } from "../../../boot.js";
import type { EditSession } from "../saving/edit-session.js";
import { t } from "./cards-texts.js";
import { lazy } from "../../../parts/lazy.js";

const SocialCard = lazy(() => import("./social-card.js"));
const MAX_TITLE = 60;
const MAX_DESCRIPTION = 160;

/** How a search engine shows the page, with what is missing or too long. */
export function SearchCard({ session }: { session: EditSession }): VNode | null {
  const { values } = session.text.frontMatter.value;
  const [isOpen, setOpen] = useState(false);
  if (values === null) return null;
  const title = `${String(values["title"] ?? "")} · ${boot.title}`;
  const description = descriptionOf(values);
  const advice = [
    title.length > MAX_TITLE ? t("longTitle", { n: title.length, most: MAX_TITLE }) : "",
    description === "" ? t("noDescription") : "",
    description.length > MAX_DESCRIPTION
      ? t("longDescription", { n: description.length, most: MAX_DESCRIPTION })
      : "",
  ].filter((text) => text !== "");
  return (
    <section class="search-card" aria-label={t("search")}>
      <h3>{t("search")}</h3>
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
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t("social")}</summary>
        {isOpen && <SocialCard session={session} />}
      </details>
    </section>
  );
}

/** As the theme finds it. */
function descriptionOf({ metadata, summary }: Readonly<Record<string, unknown>>): string {
  const own = typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
  const given = "description" in own ? own.description : summary;
  return typeof given === "string" ? given : "";
}

function excerpt(session: EditSession): string {
  const text = session.text.body.replace(/[#*_>`[\]]|\(\S*\)/g, "").trim();
  return text.slice(0, MAX_DESCRIPTION);
}
