import type { VNode } from "preact";
import { searchSummary, type SearchSummary } from "../../api/activity.js";
import { language } from "../../app/texts.js";
import { Loading } from "../../parts/loading.js";
import { Table } from "../../parts/table.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { t } from "./searches-texts.js";

const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** What readers searched for, and what they did not find. */
export default function Searches(): VNode {
  const summary = useLoaded("searches", searchSummary);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <p>{t("why")}</p>
      </header>
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
    </div>
  );
}

function Zero({ rows }: { rows: SearchSummary["zeroResultQueries"] }): VNode {
  return (
    <div class="stack-small">
      <h2>{t("zero")}</h2>
      <p class="dim">{rows.length === 0 ? t("zero.none") : t("zero.why")}</p>
      {rows.length > 0 && (
        <Table label={t("zero")} columns={[{ label: t("query") }, { label: t("times") }]}>
          {rows.map(({ query, count }) => (
            <tr key={query}>
              <td class="break">{query}</td>
              <td>{number.format(count)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
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
          columns={[{ label: t("query") }, { label: t("times") }, { label: t("results") }]}
        >
          {rows.map(({ query, count, avgResults }) => (
            <tr key={query}>
              <td class="break">{query}</td>
              <td>{number.format(count)}</td>
              <td>{number.format(avgResults)}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
