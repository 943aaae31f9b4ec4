import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NextFunction, Request, Response } from "express";
import { type Answer, escapeHtml, type Field, type Http, withoutSlash } from "#kernel";
import type { MarkdownService } from "../../markdown/contract.js";
import type { RenderService } from "../../render/contract.js";
import type { FlexRecord, FlexType } from "../contract.js";
import type { FlexObjects } from "../flex-objects.js";
import { recordTitle, recordDay, recordRoute } from "../listed-record.js";

/** Records per list page. */
const PAGE_SIZE = 20;
const PATH = /^\/flex\/([A-Za-z0-9_-]{1,64})(?:\/([A-Za-z0-9_-]{1,64}))?\/?$/;
const PAGE_NUMBER = /^[1-9]\d{0,5}$/;

/** Dependencies of the pages; themes and Markdown are optional. */
interface FlexPagesDependencies {
  readonly http: Pick<Http, "send">;
  readonly flex: FlexObjects;
  /** Language of pages without a template. */
  readonly lang: string;
  /** IANA zone of the day on which a record was created. */
  readonly timezone: string;
  render(): RenderService | undefined;
  markdown(): MarkdownService | undefined;
}
/** A page to render, with its templates in order of preference. */
interface FlexPage {
  readonly templates: readonly string[];
  readonly title: string;
  readonly type: FlexType;
  readonly props: Readonly<Record<string, unknown>>;
  body(): string;
}

/** The route that answers a path, by the files in the folder of flex objects; null for none. */
export function flexClaim(folder: string, path: string): string | null {
  const [, type, id] = path.startsWith("/flex/") ? (PATH.exec(path) ?? []) : [];
  if (type === undefined || !existsSync(join(folder, `${type}.yaml`))) return null;
  if (id === undefined) return "/flex/:type";
  return existsSync(join(folder, type, `${id}.yaml`)) ? "/flex/:type/:id" : null;
}

/** `/flex/{type}` and `/flex/{type}/{id}`; unknown types and records fall through to pages. */
export function flexPages(parts: FlexPagesDependencies) {
  return async (req: Request, res: Response, next: NextFunction): Promise<void> => {
    const match = req.method === "GET" || req.method === "HEAD" ? PATH.exec(req.ctx.path) : null;
    const type = match === null ? undefined : parts.flex.type(match[1] ?? "");
    if (type === undefined) return next();
    const id = match?.[2];
    const { ctx } = req;
    ctx.dependsOn = (parameter) => id === undefined && parameter === "page";
    const page = await (id === undefined
      ? listPage(parts, type, req)
      : detailPage(parts, type, id));
    if (page === null) return next();
    const isCanonical = !req.ctx.path.endsWith("/");
    const answer = isCanonical ? await renderFlexPage(parts, req, page) : withoutSlash(req);
    parts.http.send(req, res, answer);
  };
}

async function listPage(
  parts: FlexPagesDependencies,
  type: FlexType,
  req: Request,
): Promise<FlexPage | null> {
  const asked = new URLSearchParams(req.ctx.search).get("page") ?? "1";
  const page = PAGE_NUMBER.test(asked) ? Number(asked) : 0;
  const offset = (page - 1) * PAGE_SIZE;
  const list = page === 0 ? null : await parts.flex.list(type.name, { offset, limit: PAGE_SIZE });
  if (list === null) return null;
  const pages = Math.max(1, Math.ceil(list.total / PAGE_SIZE));
  if (page > pages) return null;
  const prevUrl = page > 1 ? pageUrl(type, page - 1) : null;
  const nextUrl = page < pages ? pageUrl(type, page + 1) : null;
  const { records, total } = list;
  return {
    templates: [`flex/${type.name}-list`, "flex/list"],
    title: type.title,
    type,
    props: {
      type: type.name,
      schema: type,
      records,
      total,
      pageNumber: page,
      pages,
      prevUrl,
      nextUrl,
    },
    body: () => listBody({ type, records, total, prevUrl, nextUrl }),
  };
}

async function detailPage(
  parts: FlexPagesDependencies,
  type: FlexType,
  id: string,
): Promise<FlexPage | null> {
  const record = await parts.flex.get(type.name, id);
  if (record === null) {
    await parts.flex.assertComplete(type.name, id);
    return null;
  }
  const html = await renderedFields(parts, type, record);
  return {
    templates: [`flex/${type.name}`, "flex/detail"],
    title: recordTitle(type, record),
    type,
    props: { type: type.name, schema: type, record, recordHtml: html },
    body: () => detailBody(type, record, html, parts.timezone),
  };
}

/** Sanitised HTML of the Markdown fields; empty without the Markdown plugin. */
async function renderedFields(
  parts: FlexPagesDependencies,
  { fields }: FlexType,
  record: FlexRecord,
): Promise<Record<string, string>> {
  const markdown = parts.markdown();
  const html: Record<string, string> = {};
  for (const { name, type } of fields) {
    const text = record[name];
    if (markdown === undefined || type !== "markdown" || typeof text !== "string") continue;
    html[name] = await markdown.renderText(text);
  }
  return html;
}

async function renderFlexPage(
  parts: FlexPagesDependencies,
  req: Request,
  page: FlexPage,
): Promise<Answer> {
  const render = parts.render();
  const cache = { tags: new Set([`flex:${page.type.name}`]) };
  for (const template of page.templates) {
    if (render?.has(template) !== true) continue;
    const answer = await render.renderTemplate(req, template, page.props, {
      title: page.title,
      cache,
    });
    if (answer !== null) return answer;
  }
  const body = page.body();
  const { title } = page;
  const lang = req.ctx.lang || parts.lang;
  const html = render?.document({ title, body, lang }) ?? plainDocument(title, body, lang);
  return { type: "text/html; charset=utf-8", body: html, cache };
}

function pageUrl({ name }: FlexType, page: number): string {
  return page === 1 ? `/flex/${name}` : `/flex/${name}?page=${page}`;
}

/** Maximum of fields shown next to the title. */
const MAX_COLUMNS = 4;

/** The data of a list page. */
interface ListPage {
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
  html: Readonly<Record<string, string>>,
  timezone: string,
): string {
  const rows = type.fields
    .filter(({ name }) => record[name] !== undefined)
    .map((field) => {
      const value = html[field.name] ?? escapeHtml(formatValue(field, record));
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
  const cells = columns.map((field) => `<td>${escapeHtml(formatValue(field, record))}</td>`);
  const first = `<th scope="row"><a href="${recordRoute(record)}">${title}</a></th>`;
  return `<tr>${first}${cells.join("")}</tr>`;
}

function link(url: string | null, rel: string, text: string): string {
  return url === null ? "" : `<a rel="${rel}" href="${escapeHtml(url)}">${text}</a>`;
}

/** A field's display text; for a choice, its label. */
function formatValue({ name, options }: Field, record: FlexRecord): string {
  const text = textOf(record[name]);
  return options.find(({ value }) => value === text)?.label ?? text;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
