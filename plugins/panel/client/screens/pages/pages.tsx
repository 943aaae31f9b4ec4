import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Plus } from "lucide";
import { listPages, type PageQuery } from "../../api/content/pages.js";
import { listPageTypes } from "../../api/content/page-types.js";
import { may } from "../../api/session.js";
import { navigate, setQuery } from "../../app/router.js";
import type { ScreenProps } from "../../app/screen-props.js";
import { t as app } from "../../app/app-texts.js";
import { FilterSelect } from "../../parts/lists/filter-select.js";
import { Icon } from "../../parts/icon.js";
import { lazy } from "../../parts/lazy.js";
import { Paged } from "../../parts/lists/paged.js";
import { SearchInput } from "../../parts/lists/search-input.js";
import { useLoaded } from "../../parts/use-loaded.js";
import { usePageEvents } from "../../parts/use-page-events.js";
import { ViewChoice } from "../../parts/lists/view-choice.js";
import { BulkBar } from "./bulk-bar.js";
import { NewPage } from "./new-page.js";
import { PageTable } from "./page-table.js";
import { t } from "./pages-texts.js";

const PageTree = lazy(() => import("./page-tree.js"));
const LIMIT = 50;
const STATUSES = ["draft", "in_review", "published", "archived", "broken"] as const;

/** The pages as a list or as a tree. */
export default function Pages({ query }: ScreenProps): VNode {
  const isTree = query.get("view") === "tree";
  const isCreating = query.get("new") !== null;
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>{t("title")}</h1>
        <div class="row">
          <ViewChoice
            {...{ label: t("view"), view: isTree ? "tree" : "" }}
            views={[
              { name: "", label: t("list") },
              { name: "tree", label: t("tree") },
            ]}
          />
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
      <Paged
        {...{ of: pages, offset: filter.offset ?? 0, limit: LIMIT }}
        count={(n) => (n === 0 ? t("none") : t("count", { n }))}
      >
        {({ items }) =>
          items.length > 0 && <PageTable pages={items} selected={selected} onSelect={setSelected} />
        }
      </Paged>
    </>
  );
}

function filterOf(query: URLSearchParams): PageQuery {
  return {
    q: query.get("q") ?? undefined,
    status: query.get("status") ?? undefined,
    template: query.get("template") ?? undefined,
    broken: "true",
    limit: LIMIT,
    offset: Number(query.get("offset") ?? 0),
  };
}

function Filters({ query }: { query: URLSearchParams }): VNode {
  const types = useLoaded("types", listPageTypes).data ?? [];
  const chosen = (name: string): string => query.get(name) ?? "";
  return (
    <div class="row" role="search">
      <SearchInput label={t("search")} value={chosen("q")} />
      <FilterSelect
        {...{ name: "status", label: t("status"), value: chosen("status"), any: t("anyStatus") }}
        options={STATUSES.map((value) => ({ value, label: app(`status.${value}`) }))}
      />
      {types.length > 0 && (
        <FilterSelect
          {...{ name: "template", label: t("template"), value: chosen("template") }}
          any={t("anyTemplate")}
          options={types.map(({ template, label }) => ({ value: template, label }))}
        />
      )}
    </div>
  );
}
