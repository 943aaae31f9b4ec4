/** Notion: the unpacked folder of an export as Markdown and CSV. */
import { posix } from "node:path";
import { SiteError } from "#kernel";
import type { ImportedPage, ImportItem, ImportSource, SourceInput } from "../../contract.js";
import { sourceError } from "../../errors.js";
import { fileKey } from "../../plan/address-key.js";
import { readCsv } from "../records.js";
import { readConfigFile } from "../source-files.js";
import {
  folderSource,
  type FolderRules,
  isIn,
  type PageFile,
  type PlacedPage,
  toAddress,
  toSlugAddress,
} from "../files/folder-source.js";
import { parseDate, parseWords } from "../files/front-matter.js";
import { notionText } from "./notion-text.js";

const ID = / ?[0-9a-f]{32}(?=$|\.|\/|_all)/g;
const PROPERTIES = /^\s*#[^\n]*\n+((?:[^\s:#>|<\-*][^:\n]{0,60}:(?: [^\n]*)?\n)+)(?=\n|$)/;
/** Properties that pages have outside of databases too, which are known by their names. */
const USUAL =
  /^(?:Tags?|Date|Created(?: time| by)?|Last edited (?:time|by)|Status|Author|Type|Owner)$/i;
const MAX_ROWS = 2_000;

/** The rows of a database, and the page of each. */
interface Database {
  /** Its CSV files, the one with all rows first. */
  readonly files: readonly string[];
  /** The folder of its pages, without ids. */
  readonly folder: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, string>>[];
  /** Why it cannot be read; null for one that can. */
  readonly issue: string | null;
}

const folder = folderSource(
  "the unpacked folder of an export as Markdown and CSV",
  async ({ root, paths }) => {
    assertMarkdown(paths);
    const top = wrapperOf(paths);
    const bareOf = (path: string): string => withoutIds(path.slice(top.length));
    const tops = paths.filter(
      (path) => !path.slice(top.length).includes("/") && path.endsWith(".md"),
    );
    const databases = await readDatabases(root, paths, bareOf);
    const tables = new Set(
      databases.filter(({ issue }) => issue === null).flatMap(({ files }) => files),
    );
    const home = tops.length === 1 ? (tops[0] ?? "") : "";
    const columnsOf = (path: string): readonly string[] | null =>
      databases.find((one) => one.folder === posix.dirname(bareOf(path)))?.columns ?? null;
    const rules: FolderRules = {
      extensions: [".md"],
      isIgnored: (path) =>
        tables.has(path) ||
        (path.endsWith(".csv") && paths.includes(path.replace(/\.csv$/, "_all.csv"))) ||
        /^(?:.*\/)?index\.html$/.test(path),
      isPage: (path) => path.endsWith(".md"),
      place: (page) => place(page, bareOf, home, columnsOf(page.path)),
      addressOf: () => null,
      transform: (body, { path }) => {
        const written = readProperties(body, columnsOf(path));
        return notionText(
          written === null
            ? body
            : body.replace(PROPERTIES, (whole) => whole.slice(0, whole.indexOf("\n") + 1)),
        );
      },
      extra: () => databases.flatMap((database) => databaseItems(database, bareOf, home, paths)),
    };
    return rules;
  },
);

/** The source `notion`. */
export const notion: ImportSource = {
  summary: folder.summary,
  items: (input) => itemsOf(input),
};

function itemsOf(input: SourceInput): AsyncIterable<ImportItem> {
  if (!/\.zip$/i.test(input.path)) return folder.items(input);
  throw sourceError(
    { file: posix.basename(input.path) },
    "it is an archive",
    "unpack it, with the archives in it, and name the folder",
  );
}

/** @throws ERR_IMPORT_SOURCE for an export in another form. */
function assertMarkdown(paths: readonly string[]): void {
  const [first = ""] = paths;
  if (paths.some((path) => path.endsWith(".md"))) return;
  const html = paths.find((path) => /[0-9a-f]{32}\.html$/.test(path));
  if (html !== undefined)
    throw sourceError(
      { file: html },
      "the export is in HTML",
      'export again with the format "Markdown & CSV"',
    );
  if (paths.some((path) => /\.zip$/i.test(path)))
    throw sourceError(
      { file: first },
      "the folder has archives and no pages",
      "unpack the archives in it too",
    );
}

/** Folders around the whole export, with a slash at the end: `Export-<uuid>/`, the name of the workspace. */
function wrapperOf(paths: readonly string[]): string {
  let top = "";
  for (;;) {
    const inside = paths.filter((path) => path.startsWith(top) && !path.endsWith("index.html"));
    const [first = ""] = inside;
    const name = first.slice(top.length).split("/", 2)[0] ?? "";
    const next = `${top}${name}/`;
    const isAround = first.startsWith(next) && inside.every((path) => path.startsWith(next));
    if (!isAround || /[0-9a-f]{32}$/.test(name)) return top;
    top = next;
  }
}

/** A path without ids; folders of an id only are left out. */
function withoutIds(path: string): string {
  return path
    .split("/")
    .map((part) => part.replaceAll(ID, ""))
    .filter((part, at, all) => part !== "" || at === all.length - 1)
    .join("/");
}

/** The address of a page. The only page at the top is the one that was exported; its pages are in a folder of its name. */
function routeOf(bare: string, home: string): string {
  const below = home !== "" && isIn(bare, home) ? bare.slice(home.length + 1) : bare;
  return toSlugAddress(below);
}

function place(
  { path, body }: PageFile,
  bareOf: (path: string) => string,
  home: string,
  columns: readonly string[] | null,
): PlacedPage {
  const bare = bareOf(path).replace(/\.md$/, "");
  const title = /^\s*#[ \t]+([^\n]+)/.exec(body)?.[1]?.trim() ?? bare.split("/").at(-1);
  const { slug, ...matter } = toMatter(readProperties(body, columns) ?? new Map());
  const route = routeOf(bare, bareOf(home).replace(/\.md$/, ""));
  return {
    route:
      path === home
        ? "/"
        : slug === null
          ? route
          : posix.join(posix.dirname(route), toSlugAddress(slug)),
    template: "default",
    position: null,
    addresses: publicAddresses(path),
    matter: { title, ...matter },
  };
}

/** The addresses of a published page: `/A-page-<id>` and `/<id>`. */
function publicAddresses(path: string): string[] {
  const [, title, id] = /(?:^|\/)([^/]*?) ?([0-9a-f]{32})(?:_all)?\.(?:md|csv)$/.exec(path) ?? [];
  if (id === undefined) return [];
  const words = (title ?? "").replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  return [toAddress(words === "" ? id : `${words}-${id}`), toAddress(id)];
}

/**
 * Lines such as `Tags: a, b` below the title; null without them. In a database they are its columns; elsewhere a text
 * may begin in the same way, so that one line must have a usual name.
 */
function readProperties(
  body: string,
  columns: readonly string[] | null,
): ReadonlyMap<string, string> | null {
  const lines = PROPERTIES.exec(body)?.[1]?.trimEnd().split("\n") ?? [];
  const values = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(":")).trim(),
      line.slice(line.indexOf(":") + 1).trim(),
    ]),
  );
  const names = [...values.keys()];
  const isKnown =
    columns === null
      ? names.some((name) => USUAL.test(name))
      : names.every((name) => columns.includes(name));
  return values.size === 0 || !isKnown ? null : values;
}

const DATES = ["Date", "Publish date", "Published at", "Created", "Created time"];
const CHANGES = ["Updated", "Last edited time", "Last edited"];
const READ: ReadonlySet<string> = new Set(
  [
    ...DATES,
    ...CHANGES,
    "Tags",
    "Tag",
    "Category",
    "Categories",
    "Author",
    "Authors",
    "Summary",
    "Description",
    "Excerpt",
    "Slug",
    "Published",
    "Public",
    "Draft",
  ].map((name) => name.toLowerCase()),
);

/** Front matter of properties. */
function toMatter(properties: ReadonlyMap<string, string>) {
  const values = new Map([...properties].map(([name, value]) => [name.toLowerCase(), value]));
  const first = (...names: string[]): string | null =>
    names
      .map((name) => values.get(name.toLowerCase()))
      .find((value) => value !== undefined && value !== "") ?? null;
  const date = toDate(first(...DATES));
  const updated = toDate(first(...CHANGES));
  const [tags, categories] = [first("Tags", "Tag"), first("Category", "Categories")];
  const [author, summary] = [
    first("Author", "Authors"),
    first("Summary", "Description", "Excerpt"),
  ];
  const isDraft = first("Draft") === "Yes" || /^(?:draft|in review)$/i.test(first("Status") ?? "");
  const isHidden = first("Published", "Public") === "No";
  return {
    slug: first("Slug"),
    ...(date !== null && { date }),
    ...(updated !== null && { updated }),
    ...((tags ?? categories) !== null && {
      taxonomy: {
        tag: parseWords(plain(tags ?? "")),
        category: parseWords(plain(categories ?? "")),
      },
    }),
    ...(author !== null && { author: parseWords(plain(author))[0] }),
    ...(summary !== null && { summary: plain(summary) }),
    ...(isDraft && { status: "draft" }),
    ...(isHidden && { published: false }),
    custom: Object.fromEntries(
      [...properties]
        .filter(([name]) => !READ.has(name.toLowerCase()))
        .map(([name, value]) => [name, plain(value)]),
    ),
  };
}

/** A value without the files of the pages that it names: `Task (Task%20<id>.md)`. */
function plain(value: string): string {
  return value.replaceAll(/ \([^()\s]{1,500}\.(?:md|csv)\)/g, "");
}

/** A date, or the first one of a span: `May 1, 2020 → May 3, 2020`, `May 1, 2020 8:30 AM (GMT+2)`. */
function toDate(written: string | null): string | null {
  const [first = ""] = (written ?? "").split("→");
  return parseDate(
    first
      .replace(/^@/, "")
      .replace(/ \([A-Z]+[^()]*\)\s*$/, "")
      .trim(),
  );
}

async function readDatabases(
  root: string,
  paths: readonly string[],
  bareOf: (path: string) => string,
): Promise<Database[]> {
  const known = new Set(paths);
  const databases: Database[] = [];
  for (const path of paths.filter((one) => one.endsWith(".csv"))) {
    const all = path.replace(/\.csv$/, "_all.csv");
    if (known.has(all)) continue;
    const view = path.replace(/_all\.csv$/, ".csv");
    const files = view !== path && known.has(view) ? [path, view] : [path];
    const folderPath = bareOf(view).replace(/\.csv$/, "");
    databases.push({ files, folder: folderPath, ...(await readTable(root, path)) });
  }
  return databases;
}

async function readTable(
  root: string,
  path: string,
): Promise<Pick<Database, "columns" | "rows" | "issue">> {
  const nothing = { columns: [], rows: [] };
  // A link, or a file that is too large: it stays a file.
  if ((await readConfigFile(root, path)) === "")
    return { ...nothing, issue: "its table cannot be read" };
  const rows: Readonly<Record<string, string>>[] = [];
  try {
    for await (const { values } of readCsv(posix.join(root, path))) {
      rows.push(values);
      if (rows.length > MAX_ROWS) return { ...nothing, issue: `it has more than ${MAX_ROWS} rows` };
    }
  } catch (error) {
    if (error instanceof SiteError) return { ...nothing, issue: error.message };
    throw error;
  }
  return { columns: Object.keys(rows[0] ?? {}), rows, issue: null };
}

/** A page with the table of a database, whose first column links to the pages of its rows. */
function databaseItems(
  database: Database,
  bareOf: (path: string) => string,
  home: string,
  paths: readonly string[],
): ImportItem[] {
  const [file = ""] = database.files;
  if (database.issue !== null)
    return [
      {
        kind: "notImported",
        origin: { file },
        reason: `a database that becomes no page: ${database.issue}`,
      },
    ];
  const pages = new Map(
    paths
      .filter((path) => path.endsWith(".md") && posix.dirname(bareOf(path)) === database.folder)
      .map((path) => [titleKey(posix.basename(bareOf(path)).replace(/\.md$/, "")), path]),
  );
  const [name = "", ...others] = database.columns;
  const cells = (row: Readonly<Record<string, string>>): string[] => {
    const title = cell(row[name] ?? "");
    const key = titleKey(row[name] ?? "");
    // Names of files are cut.
    const page =
      pages.get(key) ?? [...pages].find(([one]) => one.length > 30 && key.startsWith(one))?.[1];
    const link =
      page === undefined
        ? title
        : `[${title || "Untitled"}](<${posix.relative(posix.dirname(file), page)}>)`;
    return [link, ...others.map((column) => cell(plain(row[column] ?? "")))];
  };
  const line = (parts: readonly string[]): string => `| ${parts.join(" | ")} |`;
  const table = [
    line(database.columns.map(cell)),
    line(database.columns.map(() => "---")),
    ...database.rows.map((row) => line(cells(row))),
  ].join("\n");
  const page: ImportedPage = {
    kind: "page",
    origin: { file },
    route: routeOf(database.folder, bareOf(home).replace(/\.md$/, "")),
    template: "default",
    position: null,
    frontmatter: { title: posix.basename(database.folder) },
    body: { format: "markdown", text: `${table}\n` },
    base: { url: null, file },
    addresses: [...publicAddresses(file), ...database.files.map((one) => fileKey(one))],
  };
  return [page];
}

/** A title as names of files have it: without the characters that they cannot have. */
function titleKey(title: string): string {
  return title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}

function cell(text: string): string {
  return text
    .replaceAll("|", "\\|")
    .replaceAll(/(?<!\s)\s*\n\s*/g, "<br>")
    .trim();
}
