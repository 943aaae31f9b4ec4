import type { VNode } from "preact";
import { may } from "../../api/session.js";
import { href } from "../../app/router.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { Analytics } from "./analytics.js";
import { Explain } from "./explain.js";
import { t } from "./searches-texts.js";
import { SynonymsPart } from "./synonyms.js";

const PARTS = ["analytics", "explain", "synonyms"] as const;

/** What readers search for, why they find what they find, and synonyms. */
export default function Searches({ params, query }: ScreenProps): VNode {
  const part = PARTS.find((one) => one === params["part"]) ?? "analytics";
  const shown = PARTS.filter((one) => one !== "synonyms" || may("config.read"));
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <p>{t(`why.${part}`)}</p>
      </header>
      <nav class="row" aria-label={t("title")}>
        {shown.map((one) => (
          <a
            key={one}
            class="button"
            href={href(one === "analytics" ? "/searches" : `/searches/${one}`)}
            data-screen
            aria-current={one === part ? "page" : undefined}
          >
            {t(`part.${one}`)}
          </a>
        ))}
      </nav>
      {part === "analytics" && <Analytics />}
      {part === "explain" && <Explain words={query.get("q") ?? ""} />}
      {part === "synonyms" && <SynonymsPart word={query.get("word") ?? ""} />}
    </div>
  );
}
