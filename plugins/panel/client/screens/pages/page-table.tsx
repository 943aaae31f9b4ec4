import type { VNode } from "preact";
import type { PageRow } from "../../api/content/pages.js";
import { href } from "../../app/router.js";
import { PageBadge } from "../../parts/badge.js";
import { Moment } from "../../parts/moment.js";
import { SelectableTable } from "../../parts/lists/selectable-table.js";
import { editPath } from "./edit-path.js";
import { t } from "./pages-texts.js";

/** The rows of the list. */
export interface PageTableProps {
  pages: readonly PageRow[];
  /** Source paths. */
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

/** Pages as a table, with the columns of their page type when all rows have it. */
export function PageTable({ pages, selected, onSelect }: PageTableProps): VNode {
  const columns = sharedColumns(pages);
  return (
    <SelectableTable
      {...{ label: t("title"), rows: pages, selected, onSelect, selectAll: t("selectAll") }}
      keyOf={({ sourcePath }) => sourcePath}
      selectOne={({ title }) => t("select", { title })}
      head={
        <>
          <th>{t("page")}</th>
          {columns.map((name) => (
            <th key={name}>{name}</th>
          ))}
          <th>{t("status")}</th>
          <th class="wide-only">{t("changed")}</th>
        </>
      }
      cells={(page) => <Cells page={page} columns={columns} />}
    />
  );
}

function Cells({ page, columns }: { page: PageRow; columns: readonly string[] }): VNode {
  return (
    <>
      <td>
        <a class="page-link" href={href(editPath(page.sourcePath))} data-screen>
          {page.title}
        </a>
        <small class="dim">
          <bdi>{page.broken === undefined ? page.route : page.sourcePath}</bdi>
        </small>
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
    </>
  );
}

function sharedColumns(pages: readonly PageRow[]): string[] {
  const templates = new Set(pages.map(({ template }) => template));
  const own = Object.keys(pages[0]?.columns ?? {});
  return templates.size === 1 ? own.filter((name) => name !== "title" && name !== "status") : [];
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(shownValue).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
