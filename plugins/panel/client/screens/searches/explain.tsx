import type { VNode } from "preact";
import { useState } from "preact/hooks";
import {
  explainSearch,
  type ExplainedSearch,
  type Explanation,
  type SearchHit,
} from "../../api/settings/search.js";
import { navigate } from "../../app/router.js";
import { language } from "../../app/texts.js";
import { Loading } from "../../parts/loading.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./searches-texts.js";

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });

/** Shows what visitors find for some words, and why. */
export function Explain({ words }: { words: string }): VNode {
  const [typed, setTyped] = useState(words);
  return (
    <>
      <form
        class="row"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          navigate(`/searches/explain?q=${encodeURIComponent(typed.trim())}`);
        }}
      >
        <label class="grow">
          {t("query")}
          <input
            type="search"
            required
            maxLength={256}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          {t("explain.action")}
        </button>
      </form>
      {words !== "" && <Found key={words} words={words} />}
    </>
  );
}

function Found({ words }: { words: string }): VNode {
  const found = useLoaded(words, () => explainSearch(words));
  return <Loading of={found}>{(loaded) => <Results of={loaded} words={words} />}</Loading>;
}

function Results({ of, words }: { of: ExplainedSearch; words: string }): VNode {
  const { total, items, similar, didYouMean } = of;
  return (
    <>
      <p class="dim" role="status">
        {total === 0 ? t("explain.none", { words }) : t("explain.count", { n: total })}
      </p>
      {didYouMean !== null && <p class="notice">{t("explain.meant", { words: didYouMean })}</p>}
      {items.length > 0 && (
        <section class="stack-small" aria-label={t("explain.results")}>
          <h2>{t("explain.results")}</h2>
          <ol class="hit-list">
            {items.map((item) => (
              <li key={item.route} class="card stack-small">
                <Hit of={item} />
                {item.explanation === null ? (
                  <p class="dim">{t("explain.unknown", { engine: of.engine })}</p>
                ) : (
                  <Why of={item.explanation} />
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      {similar.length > 0 && (
        <section class="stack-small" aria-label={t("explain.similar")}>
          <h2>{t("explain.similar")}</h2>
          <ul class="hit-list">
            {similar.map((item) => (
              <li key={item.route} class="card stack-small">
                <Hit of={item} />
                <p>{t(`matched.${item.matched}`)}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Hit({ of: { title, route, score } }: { of: SearchHit }): VNode {
  return (
    <>
      <h3 class="break">{title}</h3>
      <p class="dim break">
        <code>{route}</code> · {t("explain.score", { score: number.format(score) })}
      </p>
    </>
  );
}

function Why({ of: { terms, exactTitle, factor } }: { of: Explanation }): VNode {
  return (
    <ul class="reasons">
      {terms.flatMap(({ term, matches }) =>
        matches.length === 0
          ? [<li key={term}>{t("why.missing", { term })}</li>]
          : matches.map(({ field, count, points }) => (
              <li key={`${term} ${field}`}>
                {t("why.match", { term, field, n: count, points: number.format(points) })}
              </li>
            )),
      )}
      {exactTitle > 0 && <li>{t("why.title", { points: number.format(exactTitle) })}</li>}
      {factor !== 1 && <li>{t("why.factor", { factor: number.format(factor) })}</li>}
    </ul>
  );
}
