import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Plus } from "lucide";
import { listPages, type PageQuery } from "../../api/pages.js";
import { listPageTypes } from "../../api/page-types.js";
import { may } from "../../api/session.js";
import { navigate, setQuery } from "../../app/router.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { t as app } from "../../app/app-texts.js";
import { Icon } from "../../parts/icon.js";
import { lazy } from "../../parts/lazy.js";
import { Loading } from "../../parts/loading.js";
import { Pager } from "../../parts/pager.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { usePageEvents } from "../../parts/use-page-events.js";
import { BulkBar } from "./bulk-bar.js";
import { NewPage } from "./new-page.js";
import { PageTable } from "./page-table.js";
import { t } from "./pages-texts.js";

const PageTree = lazy(() => import("./page-tree.js"));
const LIMIT = 50;
const STATUSES = ["draft", "in_review", "published", "archived"] as const;

/** The pages as a list or as a tree. */
export default function Pages({ query }: ScreenProps): VNode {
  const isTree = query.get("view") === "tree";
  const isCreating = query.get("new") !== null;
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <div class="row">
          <ViewChoice isTree={isTree} />
          {may("pages.create") && (
            <button type="button" class="primary" onClick={() => setQuery({ new: "1" })}>
              <Icon of={Plus} />
              {t("new")}
            </button>
          )}
        </div>
      </header>
      {isTree ? <PageTree /> : <PageList query={query} />}
      {isCreating && (
        <NewPage
          parent={query.get("new") ?? "1"}
          onClose={() => setQuery({ new: "" })}
          onCreated={(path) => navigate(path)}
        />
      )}
    </div>
  );
}

function ViewChoice({ isTree }: { isTree: boolean }): VNode {
  return (
    <div class="segments" role="group" aria-label={t("view")}>
      <button type="button" aria-pressed={!isTree} onClick={() => setQuery({ view: "" })}>
        {t("list")}
      </button>
      <button type="button" aria-pressed={isTree} onClick={() => setQuery({ view: "tree" })}>
        {t("tree")}
      </button>
    </div>
  );
}

/** Search, filters, bulk actions. */
function PageList({ query }: { query: URLSearchParams }): VNode {
  const filter = filterOf(query);
  const key = JSON.stringify(filter);
  const pages = useLoaded(key, () => listPages(filter));
  usePageEvents(pages.reload);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setSelected(new Set()), [key]);
  return (
    <>
      <Filters query={query} />
      {selected.size > 0 && (
        <BulkBar
          paths={[...selected]}
          onDone={() => {
            setSelected(new Set());
            pages.reload();
          }}
        />
      )}
      <Loading of={pages}>
        {({ items, total }) => (
          <>
            <p class="dim" role="status">
              {total === 0 ? t("none") : t("count", { n: total })}
            </p>
            {items.length > 0 && (
              <PageTable pages={items} selected={selected} onSelect={setSelected} />
            )}
            <Pager
              offset={filter.offset ?? 0}
              limit={LIMIT}
              total={total}
              onMove={(offset) => setQuery({ offset: offset === 0 ? "" : String(offset) })}
            />
          </>
        )}
      </Loading>
    </>
  );
}

function filterOf(query: URLSearchParams): PageQuery {
  return {
    q: query.get("q") ?? undefined,
    status: query.get("status") ?? undefined,
    template: query.get("template") ?? undefined,
    limit: LIMIT,
    offset: Number(query.get("offset") ?? 0),
  };
}

function Filters({ query }: { query: URLSearchParams }): VNode {
  const types = useLoaded("types", listPageTypes);
  const narrow = (name: string, value: string): void => setQuery({ [name]: value, offset: "" });
  return (
    <div class="row" role="search">
      <input
        class="grow"
        type="search"
        aria-label={t("search")}
        placeholder={t("search")}
        value={query.get("q") ?? ""}
        onInput={(event) => narrow("q", event.currentTarget.value)}
      />
      <select
        aria-label={t("status")}
        value={query.get("status") ?? ""}
        onChange={(event) => narrow("status", event.currentTarget.value)}
      >
        <option value="">{t("anyStatus")}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {app(`status.${status}`)}
          </option>
        ))}
      </select>
      {types.data !== undefined && types.data.length > 0 && (
        <select
          aria-label={t("template")}
          value={query.get("template") ?? ""}
          onChange={(event) => narrow("template", event.currentTarget.value)}
        >
          <option value="">{t("anyTemplate")}</option>
          {types.data.map(({ template, label }) => (
            <option key={template} value={template}>
              {label}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
