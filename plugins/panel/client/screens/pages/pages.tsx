import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ArrowDown, ArrowUp, Plus } from "lucide";
import { editPath, href, navigate, setQuery, type ScreenProps } from "../../app/router.js";
import { languageName, t as app } from "../../app/texts.js";
import { boot } from "../../boot.js";
import { PageBadge } from "../../parts/badge.js";
import { Icon } from "../../parts/icon.js";
import { filesOfPage, LanguageMarks } from "../../parts/language-marks.js";
import {
  FilterSelect,
  Paged,
  SearchInput,
  SelectableTable,
  ViewChoice,
} from "../../parts/table.js";
import { Menu } from "../../parts/menu.js";
import { lazy, useLoaded } from "../../parts/loading.js";
import { Moment } from "../../parts/moment.js";
import { NewPage } from "./new-page.js";
import { t } from "./pages-texts.js";
import { call } from "../../api/request.js";
import { loadPageTypes } from "../../api/page-types.js";
import { may, session } from "../../api/session.js";
import { usePageEvents } from "../../api/events.js";
import type { PageRow, PageType } from "../../api/answers.js";
import type { BulkFailure } from "./batch.js";

const PageTree = lazy(() => import("./page-tree.js"));
const SavedViews = lazy(() => import("./saved-views.js"));
const RowMenu = lazy(() => import("./row-menu.js"));
const BulkBar = lazy(() => import("./bulk-bar.js"));
const Failures = lazy(async () => ({
  default: (await import("../../parts/failures.js")).Failures,
}));
const LIMIT = 50;
/** Labels of columns that pages of every type have. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ["date", t("column.date")],
  ["author", t("filter.author")],
  ["template", t("template")],
]);
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
            label={t("view")}
            view={isTree ? "tree" : ""}
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

interface QueryProps {
  query: URLSearchParams;
}

/** Search, filters, bulk actions. */
function PageList({ query }: QueryProps): VNode {
  const filter = readFilter(query);
  const key = JSON.stringify(filter);
  const pages = useLoaded(key, () => call("GET /pages", { query: filter }));
  usePageEvents(pages.reload);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<readonly BulkFailure[]>([]);
  useEffect(() => setSelected(new Set()), [key]);
  // With a language chosen, the others of a page stay as they are.
  const filesOf = (page: PageRow): readonly string[] =>
    filter.lang === undefined ? filesOfPage(page) : [page.sourcePath];
  return (
    <>
      <SavedViews query={query} />
      <Filters query={query} />
      {selected.size > 0 && (
        <BulkBar
          pages={(pages.data?.items ?? []).filter(({ sourcePath }) => selected.has(sourcePath))}
          filesOf={filesOf}
          onDone={(wrong) => {
            setFailures(wrong);
            setSelected(new Set(wrong.map(({ page }) => page.sourcePath)));
            pages.reload();
          }}
        />
      )}
      {failures.length > 0 && (
        <Failures
          title={t("failures.title", { n: failures.length })}
          of={failures.map(({ page, reason }) => ({
            key: page.sourcePath,
            label: page.title,
            href: href(editPath(page.sourcePath)),
            reason,
          }))}
          onClose={() => setFailures([])}
        />
      )}
      <Paged
        of={pages}
        offset={filter.offset}
        limit={LIMIT}
        count={(n) => (n === 0 ? t("none") : t("count", { n }))}
      >
        {({ items }) =>
          items.length > 0 && (
            <PageTable
              query={query}
              pages={items}
              selected={selected}
              onSelect={setSelected}
              filesOf={filesOf}
              onChange={pages.reload}
            />
          )
        }
      </Paged>
    </>
  );
}

/** True for an account that changes only its own pages: its list begins with them. */
function hasOwnPages(): boolean {
  return session.value?.ownPages.includes("pages.update") === true;
}

function readFilter(query: URLSearchParams) {
  return {
    q: query.get("q") ?? undefined,
    status: query.get("status") ?? undefined,
    template: query.get("template") ?? undefined,
    lang: query.get("lang") ?? undefined,
    tag: query.get("tag") ?? undefined,
    author: query.get("author") ?? undefined,
    own: hasOwnPages() && query.get("own") !== "all" ? "true" : undefined,
    since: query.get("since") ?? undefined,
    sort: query.get("sort") ?? undefined,
    order: query.get("order") ?? undefined,
    columns: query.get("columns") ?? undefined,
    languages: "together",
    broken: "true",
    limit: LIMIT,
    offset: Number(query.get("offset") ?? 0),
  };
}

function Filters({ query }: QueryProps): VNode {
  const types = useLoaded("types", loadPageTypes).data?.items ?? [];
  const facets = useLoaded("facets", () => call("GET /page-facets")).data;
  const chosen = (name: string): string => query.get(name) ?? "";
  return (
    <div class="row" role="search">
      <SearchInput label={t("search")} value={chosen("q")} />
      {hasOwnPages() && (
        <FilterSelect
          name="own"
          label={t("filter.own")}
          value={chosen("own")}
          any={t("filter.own.mine")}
          options={[{ value: "all", label: t("filter.own.all") }]}
        />
      )}
      <FilterSelect
        name="status"
        label={t("status")}
        value={chosen("status")}
        any={t("anyStatus")}
        options={STATUSES.map((value) => ({ value, label: app(`status.${value}`) }))}
      />
      {types.length > 0 && (
        <FilterSelect
          name="template"
          label={t("template")}
          value={chosen("template")}
          any={t("anyTemplate")}
          options={types.map(({ template, label }) => ({ value: template, label }))}
        />
      )}
      {(["tag", "author"] as const).map((name) => {
        const found = (name === "tag" ? facets?.tags : facets?.authors) ?? [];
        return (
          (found.length > 0 || chosen(name) !== "") && (
            <FilterSelect
              key={name}
              name={name}
              label={t(`filter.${name}`)}
              value={chosen(name)}
              any={t(`filter.any.${name}`)}
              options={withChosen(found, chosen(name))}
            />
          )
        );
      })}
      <label class="inline">
        {t("filter.since")}
        <input
          type="date"
          value={chosen("since")}
          onChange={({ currentTarget }) => setQuery({ since: currentTarget.value, offset: "" })}
        />
      </label>
      {boot.languages.length > 1 && (
        <FilterSelect
          name="lang"
          label={t("language")}
          value={chosen("lang")}
          any={t("anyLanguage")}
          options={boot.languages.map((value) => ({ value, label: languageName(value) }))}
        />
      )}
      <ColumnChoice
        chosen={chosen("columns")}
        type={types.find(({ template }) => template === chosen("template"))}
      />
    </div>
  );
}

interface ColumnChoiceProps {
  /** Keys, separated by commas; empty: those of the page type. */
  chosen: string;
  /** The type of the pages in the list; undefined: several. */
  type: PageType | undefined;
}

const MAX_COLUMNS = 8;

/** Chooses the columns beside title, status and change: keys of every page, and fields of the page type. */
function ColumnChoice({ chosen, type }: ColumnChoiceProps): VNode {
  const names = chosen === "" ? [] : chosen.split(",");
  const fields = (type?.fields ?? []).filter(({ name }) => name !== "title" && name !== "status");
  const labels = new Map<string, string>([
    ...names.map((name) => [name, name] as const),
    ...BUILT_IN,
    ...fields.map(({ name, label }) => [name, label] as const),
  ]);
  const toggle = (name: string): void => {
    const next = names.includes(name) ? names.filter((one) => one !== name) : [...names, name];
    setQuery({ columns: next.join(",") });
  };
  return (
    <Menu label={null} summary={t("columns")} isLazy>
      {[...labels].map(([name, label]) => (
        <label key={name} class="inline entry">
          <input
            type="checkbox"
            aria-label={t("columns.show", { label })}
            checked={names.includes(name)}
            disabled={!names.includes(name) && names.length >= MAX_COLUMNS}
            onChange={() => toggle(name)}
          />
          {label}
        </label>
      ))}
    </Menu>
  );
}

/** The choices with their counts; the chosen one stays when nothing uses it any more. */
function withChosen(
  found: readonly { value: string; count: number }[],
  chosen: string,
): { value: string; label: string }[] {
  const options = found.map(({ value, count }) => ({ value, label: `${value} (${count})` }));
  const isMissing = chosen !== "" && found.every(({ value }) => value !== chosen);
  return isMissing ? [...options, { value: chosen, label: chosen }] : options;
}

const SORTS = { title: "asc", status: "asc", changed: "desc" } as const;

interface SortHeadProps {
  query: URLSearchParams;
  by: keyof typeof SORTS;
  label: string;
  class?: string;
}

/** The head of a column that sorts: first in its usual direction, then the other, then the tree's order. */
function SortHead({ query, by, label, class: name }: SortHeadProps): VNode {
  const usual = SORTS[by];
  const isChosen = query.get("sort") === by;
  const order = isChosen ? (query.get("order") ?? usual) : null;
  const next = (): void => {
    const other = usual === "asc" ? "desc" : "asc";
    if (order === null) setQuery({ sort: by, order: usual, offset: "" });
    else if (order === usual) setQuery({ sort: by, order: other, offset: "" });
    else setQuery({ sort: "", order: "", offset: "" });
  };
  return (
    <th
      scope="col"
      class={name}
      aria-sort={order === null ? undefined : order === "asc" ? "ascending" : "descending"}
    >
      <button type="button" class="link sort" onClick={next}>
        {label}
        {order !== null && <Icon of={order === "asc" ? ArrowUp : ArrowDown} />}
      </button>
    </th>
  );
}

/** The rows of the list. */
interface PageTableProps {
  query: URLSearchParams;
  pages: readonly PageRow[];
  /** Source paths. */
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
  /** Source paths of the files of a page that are changed together. */
  filesOf(page: PageRow): readonly string[];
  /** Called after a page of the list has moved, or is deleted or back. */
  onChange(): void;
}

/** Pages as a table, with the columns of their page type when all rows have it. */
function PageTable(props: PageTableProps): VNode {
  const { query, pages, selected, onSelect, filesOf, onChange } = props;
  const chosen = query.get("columns") ?? "";
  const columns = chosen === "" ? sharedColumns(pages) : chosen.split(",");
  const types = useLoaded("types", loadPageTypes).data?.items ?? [];
  const type = types.find(({ template }) => template === pages[0]?.template);
  const labelOf = (key: string): string =>
    type?.fields.find(({ name }) => name === key)?.label ?? BUILT_IN.get(key) ?? key;
  return (
    <SelectableTable
      label={t("title")}
      rows={pages}
      selected={selected}
      onSelect={onSelect}
      selectAll={t("selectAll")}
      keyOf={({ sourcePath }) => sourcePath}
      selectOne={({ title }) => t("select", { title })}
      head={
        <>
          <SortHead query={query} by="title" label={t("page")} />
          {columns.map((name) => (
            <th key={name}>{labelOf(name)}</th>
          ))}
          <SortHead query={query} by="status" label={t("status")} />
          <SortHead query={query} by="changed" label={t("changed")} class="wide-only" />
          <th scope="col">
            <span class="visually-hidden">{t("row.actions")}</span>
          </th>
        </>
      }
      cells={(page) => (
        <Cells page={page} columns={columns} files={filesOf(page)} onChange={onChange} />
      )}
    />
  );
}

interface CellsProps {
  page: PageRow;
  /** Keys of the front matter. */
  columns: readonly string[];
  /** Source paths of the files of the page that are changed together. */
  files: readonly string[];
  onChange(): void;
}

function Cells({ page, columns, files, onChange }: CellsProps): VNode {
  return (
    <>
      <td>
        <a class="page-link" href={href(editPath(page.sourcePath))} data-screen>
          {page.title}
        </a>
        <small class="dim">
          <bdi>{page.broken === undefined ? page.route : page.sourcePath}</bdi>
        </small>{" "}
        <LanguageMarks page={page} />
      </td>
      {columns.map((name) => (
        <td key={name}>{shownValue(page.columns?.[name])}</td>
      ))}
      <td>
        <PageBadge page={page} />
      </td>
      <td class="wide-only dim">
        <Moment at={page.mtimeMs} />
      </td>
      <td class="actions-cell">
        <RowMenu page={page} files={files} onChange={onChange} />
      </td>
    </>
  );
}

function sharedColumns(pages: readonly PageRow[]): string[] {
  const templates = new Set(pages.map(({ template }) => template));
  const columns = Object.keys(pages[0]?.columns ?? {});
  return templates.size === 1
    ? columns.filter((name) => name !== "title" && name !== "status")
    : [];
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(shownValue).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
