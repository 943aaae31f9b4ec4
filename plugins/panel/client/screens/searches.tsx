import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { href, navigate, type ScreenProps } from "../app/router.js";
import { language, texts } from "../app/texts.js";
import de from "../locales/de/searches.json";
import en from "../locales/en/searches.json";
import { Loading, useLoaded } from "../parts/loading.js";
import { Table } from "../parts/table.js";
import { SynonymsPart } from "./synonyms.js";
import { call, type Answer, type Item } from "../api/request.js";
import { may } from "../api/session.js";

type ExplainedSearch = Answer<"GET /search/explain">;
type Explanation = NonNullable<ExplainedSearch["items"][number]["explanation"]>;
type SearchHit = Omit<Item<"GET /search/explain">, "explanation">;
type SearchSummary = Answer<"GET /search/analytics">;

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
const t = texts({ en, de });

const PARTS = ["analytics", "explain", "synonyms"] as const;

/** Shows the searches of readers, explains their results, and edits synonyms. */
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

/** Shows the searches of readers, with and without results. */
function Analytics(): VNode {
  const summary = useLoaded("searches", () => call("GET /search/analytics"));
  return (
    <Loading of={summary}>
      {(loaded) => (
        <>
          <p class="dim" role="status">
            {t("total", { n: loaded.totalSearches })}
          </p>
          <Zero rows={loaded.zeroResultQueries} />
          <Top rows={loaded.topQueries} />
        </>
      )}
    </Loading>
  );
}

interface ZeroProps {
  rows: SearchSummary["zeroResultQueries"];
}

function Zero({ rows }: ZeroProps): VNode {
  const columns = [{ label: t("query") }, { label: t("times") }];
  const actions = { label: t("actions"), isActions: true };
  return (
    <div class="stack-small">
      <h2>{t("zero")}</h2>
      <p class="dim">{rows.length === 0 ? t("zero.none") : t("zero.why")}</p>
      {rows.length > 0 && (
        <Table label={t("zero")} columns={[...columns, actions]}>
          {rows.map(({ query, count }) => (
            <tr key={query}>
              <td class="break">{query}</td>
              <td>{number.format(count)}</td>
              <td class="end">
                <span class="row-buttons">
                  <Explained query={query} />
                  {may("config.update") && (
                    <a
                      class="button"
                      href={href(`/searches/synonyms?word=${encodeURIComponent(query)}`)}
                      data-screen
                      aria-label={t("addSynonym.for", { query })}
                    >
                      {t("addSynonym")}
                    </a>
                  )}
                </span>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

interface ExplainedProps {
  query: string;
}

function Explained({ query }: ExplainedProps): VNode {
  return (
    <a
      class="button"
      href={href(`/searches/explain?q=${encodeURIComponent(query)}`)}
      data-screen
      aria-label={t("explain.for", { query })}
    >
      {t("part.explain")}
    </a>
  );
}

interface TopProps {
  rows: SearchSummary["topQueries"];
}

function Top({ rows }: TopProps): VNode {
  return (
    <div class="stack-small">
      <h2>{t("top")}</h2>
      {rows.length === 0 && <p class="dim">{t("top.none")}</p>}
      {rows.length > 0 && (
        <Table
          label={t("top")}
          columns={[
            { label: t("query") },
            { label: t("times") },
            { label: t("results") },
            { label: t("actions"), isActions: true },
          ]}
        >
          {rows.map(({ query, count, avgResults }) => (
            <tr key={query}>
              <td class="break">{query}</td>
              <td>{number.format(count)}</td>
              <td>{number.format(avgResults)}</td>
              <td class="end">
                <Explained query={query} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

interface WordsProps {
  /** The words that visitors search for. */
  words: string;
}

/** Shows what visitors find for some words, and why. */
function Explain({ words }: WordsProps): VNode {
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

function Found({ words }: WordsProps): VNode {
  const results = useLoaded(words, () => call("GET /search/explain", { query: { q: words } }));
  return <Loading of={results}>{(loaded) => <Results of={loaded} words={words} />}</Loading>;
}

interface ResultsProps {
  of: ExplainedSearch;
  words: string;
}

function Results({ of, words }: ResultsProps): VNode {
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

interface HitProps {
  of: SearchHit;
}

function Hit({ of: { title, route, score } }: HitProps): VNode {
  return (
    <>
      <h3 class="break">{title}</h3>
      <p class="dim break">
        <code>{route}</code> · {t("explain.score", { score: twoDigits.format(score) })}
      </p>
    </>
  );
}

interface WhyProps {
  of: Explanation;
}

function Why({ of: { terms, exactTitle, factor } }: WhyProps): VNode {
  return (
    <ul class="reasons">
      {terms.flatMap(({ term, matches }) =>
        matches.length === 0
          ? [<li key={term}>{t("why.missing", { term })}</li>]
          : matches.map(({ field, count, points }) => (
              <li key={`${term} ${field}`}>
                {t("why.match", { term, field, n: count, points: twoDigits.format(points) })}
              </li>
            )),
      )}
      {exactTitle > 0 && <li>{t("why.title", { points: twoDigits.format(exactTitle) })}</li>}
      {factor !== 1 && <li>{t("why.factor", { factor: twoDigits.format(factor) })}</li>}
    </ul>
  );
}
