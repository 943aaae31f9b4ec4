import type { VNode } from "preact";
import { searchSummary, type SearchSummary } from "../../api/system/activity.js";
import { may } from "../../api/session.js";
import { href } from "../../app/router.js";
import { language } from "../../app/texts.js";
import { Loading } from "../../parts/loading.js";
import { Table } from "../../parts/lists/table.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./searches-texts.js";

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** What readers searched for, and what they did not find. */
export function Analytics(): VNode {
  const summary = useLoaded("searches", searchSummary);
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

function Zero({ rows }: { rows: SearchSummary["zeroResultQueries"] }): VNode {
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

function Explained({ query }: { query: string }): VNode {
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

function Top({ rows }: { rows: SearchSummary["topQueries"] }): VNode {
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
