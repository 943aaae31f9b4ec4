import { escapeHtml, type Field } from "#kernel";
import type { FlexRecord, FlexType } from "./contract.js";
import { recordDay, recordRoute, recordTitle } from "./records/record-title.js";

/** Maximum of fields shown next to the title. */
const MAX_COLUMNS = 4;

/** The data of a list page. */
export interface ListPage {
  readonly type: FlexType;
  readonly records: readonly FlexRecord[];
  readonly total: number;
  readonly prevUrl: string | null;
  readonly nextUrl: string | null;
}

/** The body of a type's page, for themes without a template for it. */
export function listBody({ type, records, total, prevUrl, nextUrl }: ListPage): string {
  const columns = type.fields.filter(isColumn).slice(0, MAX_COLUMNS);
  const head = ["", ...columns.map(({ label }) => label)]
    .map((label) => `<th scope="col">${escapeHtml(label)}</th>`)
    .join("");
  const rows = records.map((record) => listRow(type, record, columns)).join("");
  const intro = type.description === "" ? "" : `<p>${escapeHtml(type.description)}</p>`;
  const table = `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
  const shown = records.length === 0 ? "<p>Nothing here yet.</p>" : table;
  const links = [link(prevUrl, "prev", "Newer"), link(nextUrl, "next", "Older")].join(" ");
  return `<h1>${escapeHtml(type.title)}</h1>${intro}<p class="dim">${total}</p>${shown}<nav>${links}</nav>`;
}

/** The body of a record's page; `html` holds rendered Markdown by field. */
export function detailBody(
  type: FlexType,
  record: FlexRecord,
  { html, timezone }: { html: Readonly<Record<string, string>>; timezone: string },
): string {
  const rows = type.fields
    .filter(({ name }) => record[name] !== undefined)
    .map((field) => {
      const value = html[field.name] ?? escapeHtml(wordsOf(field, record));
      return `<dt>${escapeHtml(field.label)}</dt><dd>${value}</dd>`;
    });
  const day = recordDay(record, timezone);
  const date = day === null ? "" : `<p class="dim"><time datetime="${day}">${day}</time></p>`;
  const back = `<p><a href="/flex/${type.name}">${escapeHtml(type.title)}</a></p>`;
  return `${back}<h1>${escapeHtml(recordTitle(type, record))}</h1>${date}<dl>${rows.join("")}</dl>`;
}

/** A complete document, for sites without themes. `body` is trusted HTML. */
export function plainDocument(title: string, body: string, lang: string): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width">`;
  return `<!doctype html><html lang="${escapeHtml(lang)}"><head>${head}<title>${escapeHtml(title)}</title></head><body><main>${body}</main></body></html>`;
}

function isColumn({ type, name }: Field): boolean {
  return type !== "textarea" && type !== "markdown" && name !== "name" && name !== "title";
}

function listRow(type: FlexType, record: FlexRecord, columns: readonly Field[]): string {
  const title = escapeHtml(recordTitle(type, record));
  const cells = columns.map((field) => `<td>${escapeHtml(wordsOf(field, record))}</td>`);
  const first = `<th scope="row"><a href="${recordRoute(record)}">${title}</a></th>`;
  return `<tr>${first}${cells.join("")}</tr>`;
}

function link(url: string | null, rel: string, text: string): string {
  return url === null ? "" : `<a rel="${rel}" href="${escapeHtml(url)}">${text}</a>`;
}

/** A field's display text; for a choice, its label. */
function wordsOf({ name, options }: Field, record: FlexRecord): string {
  const text = textOf(record[name]);
  return options.find(({ value }) => value === text)?.label ?? text;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
