/** Notion: the unpacked folder of an export as Markdown and CSV. */
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  toAddress,
  toSlugAddress,
} from "./folder-source.js";
import { parseDate, parseWords } from "./front-matter.js";

const ID = / ?[0-9a-f]{32}(?=$|\.|\/|_all)/g;
const PROPERTIES = /^\s*#[^\n]*\n+((?:[A-Z][^:\n]{0,60}: [^\n]*\n)+)\n?/;

/** The source `notion`. */
export const notion = folderSource("the unpacked folder of an export as Markdown", ({ paths }) => {
  const tops = paths.filter((path) => !path.includes("/") && path.endsWith(".md"));
  const rules: FolderRules = {
    extensions: [".md"],
    isIgnored: (path) =>
      path.endsWith(".csv") && paths.includes(path.replace(/\.csv$/, "_all.csv")),
    isPage: (path) => path.endsWith(".md"),
    place: (page) => place(page, tops.length === 1 ? (tops[0] ?? "") : ""),
    addressOf: () => null,
    transform: (body) => ({ text: body.replace(PROPERTIES, ""), notes: [] }),
  };
  return Promise.resolve(rules);
});

function place({ path, body }: PageFile, home: string): PlacedPage {
  const bare = path.replaceAll(ID, "").replace(/\.md$/, "");
  const title = /^\s*#[ \t]+([^\n]+)/.exec(body)?.[1]?.trim() ?? bare.split("/").at(-1);
  // The only page at the top is the one that was exported; its pages are in a folder of its name.
  const top = home.replaceAll(ID, "").replace(/\.md$/, "");
  const below = top !== "" && bare.startsWith(`${top}/`) ? bare.slice(top.length + 1) : bare;
  return {
    route: path === home ? "/" : toSlugAddress(below),
    template: "default",
    position: null,
    addresses: publicAddresses(path),
    matter: { title, ...parseProperties(body) },
  };
}

/** The addresses of a published page: `/A-page-<id>` and `/<id>`. */
function publicAddresses(path: string): string[] {
  const [, title, id] = /(?:^|\/)([^/]*?) ?([0-9a-f]{32})\.md$/.exec(path) ?? [];
  if (id === undefined) return [];
  const words = (title ?? "").replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "");
  return [toAddress(words === "" ? id : `${words}-${id}`), toAddress(id)];
}

/** Lines such as `Tags: a, b` below the title. */
function parseProperties(body: string): Record<string, unknown> {
  const lines = PROPERTIES.exec(body)?.[1]?.trim().split("\n") ?? [];
  const values = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
  );
  const date = wallClock(values.get("Date") ?? values.get("Created") ?? "");
  return {
    ...(date !== null && { date }),
    ...(values.has("Tags") && { taxonomy: { tag: parseWords(values.get("Tags")) } }),
    custom: Object.fromEntries(
      [...values].filter(([key]) => !["Tags", "Date", "Created"].includes(key)),
    ),
  };
}

/** `May 1, 2020 8:30 AM` as the clock of its author showed it: exports have no time zone. */
function wallClock(written: string): string | null {
  const date = parseDate(written);
  if (date !== null) return date;
  // In UTC, so that the zone of this machine changes nothing.
  const time = Date.parse(`${written} UTC`);
  return Number.isNaN(time) ? null : parseDate(new Date(time).toISOString().slice(0, 19));
}
