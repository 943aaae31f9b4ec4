/** Grav and Dune: folders with the layout of this project. Paths stay, so do numbers, modules and translations. */
import { posix } from "node:path";
import type { ImportSource } from "../../contract.js";
import { isRecord } from "#kernel";
import { readConfigFile } from "../source-files.js";
import { listOf, parseDate, parseYamlMap, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  toAddress,
} from "../files/folder-source.js";
import { gravText } from "./grav-text.js";

const ROOTS: Readonly<Record<string, readonly string[]>> = {
  grav: ["user/pages", "pages"],
  dune: ["content"],
};
const NUMBER = /^\d{1,9}\./;
const SIDECAR = ".meta.yaml";

/** The source `grav`. */
export const grav: ImportSource = sameLayout("grav", "the folder of a site, or its user/pages");
/** The source `dune`. */
export const dune: ImportSource = sameLayout("dune", "the folder of a site, or its content/");

function sameLayout(name: "grav" | "dune", summary: string): ImportSource {
  return folderSource(summary, async ({ root: source, paths }) => {
    const sidecars = await readSidecars(source, paths);
    const root = ROOTS[name]?.find((one) => paths.some((path) => path.startsWith(`${one}/`))) ?? "";
    const below = (path: string): string => (root === "" ? path : path.slice(root.length + 1));
    const rules: FolderRules = {
      extensions: [".md"],
      isIgnored: (path) =>
        (root !== "" && !path.startsWith(`${root}/`)) || /^[^/]+\.ya?ml$/.test(below(path)),
      isRead: (path) => path.endsWith(SIDECAR),
      isPage: (path) => path.endsWith(".md"),
      isFolderPage: true,
      answersAtFolders: name === "grav",
      place: (page) => place(page, below(page.path), name === "grav"),
      addressOf: (path) => toAddress(withoutNumbers(below(path))),
      metaOf: (path) => sidecars.get(path) ?? {},
      ...(name === "grav" && { transform: (body: string) => gravText(body) }),
    };
    return rules;
  });
}

/** What `picture.jpg.meta.yaml` says of `picture.jpg`. */
async function readSidecars(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const sidecars = new Map<string, Readonly<Record<string, unknown>>>();
  for (const path of paths.filter((one) => one.endsWith(SIDECAR))) {
    const parsed = parseYamlMap(await readConfigFile(root, path));
    if ("data" in parsed) sidecars.set(path.slice(0, -SIDECAR.length), parsed.data);
  }
  return sidecars;
}

function withoutNumbers(path: string): string {
  return path
    .split("/")
    .map((part) => part.replace(NUMBER, ""))
    .join("/");
}

function place({ data }: PageFile, path: string, isGrav: boolean): PlacedPage {
  const folder = posix.dirname(path);
  const parts = withoutNumbers(folder === "." ? "" : folder).split("/");
  const slug = text(data["slug"]);
  const last = slug === null ? parts : [...parts.slice(0, -1), slug];
  const isFlat =
    !/^(?:\d+\.)?(?:default|index|item|post|blog|docs|landing|home|page|modular)\b/.test(
      posix.basename(path),
    ) && folder === ".";
  const route = toAddress(
    [
      ...last,
      ...(isFlat ? [posix.basename(path).replace(NUMBER, "").replace(/\.md$/, "")] : []),
    ].join("/"),
  );
  const isHome = route === "/home" || route === "/index";
  const routes = isRecord(data["routes"]) ? data["routes"] : {};
  return {
    route: isHome ? "/" : route,
    template: posix.basename(path).replace(/\..*$/, ""),
    position: null,
    path,
    matter: { ...toFrontMatter(data), ...(isGrav && readDates(data)) },
    addresses: [route, ...(isGrav ? [text(routes["default"]) ?? route] : [])],
  };
}

const DATES = ["date", "publish_date", "unpublish_date"];
/** `17:34 06/30/2024` and `30-06-2024 17:34`, as the panel of Grav writes them: PHP reads slashes month first. */
const PANEL_DATE =
  /^(?:(\d{1,2}:\d{2})[ T]+)?(?:(\d{1,2})\/(\d{1,2})\/(\d{4})|(\d{1,2})-(\d{1,2})-(\d{4}))(?:[ T]+(\d{1,2}:\d{2}))?$/;

/** The dates in another form than that of this project. */
function readDates(data: PageFile["data"]): Record<string, string> {
  return Object.fromEntries(
    DATES.flatMap((key) => {
      const date = panelDate(text(data[key]) ?? "");
      return date === null ? [] : [[key, date] as const];
    }),
  );
}

function panelDate(written: string): string | null {
  const match = PANEL_DATE.exec(written.trim());
  if (match === null) return null;
  const [, before, month, day, year, dayFirst, monthNext, yearLast, after] = match;
  const parts = [month ?? monthNext ?? "", day ?? dayFirst ?? ""].map((part) =>
    part.padStart(2, "0"),
  );
  const time = (before ?? after)?.padStart(5, "0");
  return parseDate(`${year ?? yearLast}-${parts.join("-")}${time === undefined ? "" : ` ${time}`}`);
}

/** The front matter as it is. */
function toFrontMatter(data: PageFile["data"]): Record<string, unknown> {
  const images = listOf(data["media_order"]);
  return {
    metadata: null,
    summary: null,
    taxonomy: null,
    custom: null,
    status: null,
    ...data,
    media_order: images,
  };
}
