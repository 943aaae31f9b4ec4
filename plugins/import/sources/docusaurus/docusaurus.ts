/** Docusaurus: the folder of a site, with `docs/`, `blog/` and `static/`. */
import { posix } from "node:path";
import type { ImportedPage, ImportItem } from "../../contract.js";
import { cleanRoute } from "../../plan/safe-name.js";
import { docusaurusMarks, withoutPartImports } from "../includes/include-marks.js";
import {
  docKey,
  type DocusaurusSite,
  docusaurusSidebar,
  type SidebarOfSource,
} from "../sidebar/sidebar-source.js";
import { parseDate, parsePosition, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  isIn,
  pathOfPage,
  splitDate,
  splitNumber,
  toAddress,
} from "../files/folder-source.js";
import { type Category, CONFIG, readSite, type Site } from "./docusaurus-site.js";
import { mdxText } from "../../text/mdx-text.js";

const IGNORED =
  /^(?:src\/(?!pages\/)|build\/|versioned_sidebars\/|plugins\/|scripts\/)|^[^/]+$|\.(?:tsx?|jsx?|css|scss|map)$|(?:^|\/)(?:authors|tags)\.yml$|(?:^|\/)_category_\.(?:json|ya?ml)$/;
const I18N = /^i18n\/([a-z]{2,3}(?:-[a-z]{2,4})?)\/(docusaurus-plugin-content-[a-z]+)\/(.+)$/i;
const VERSIONED = /^versioned_docs\/version-([^/]+)\/(.+)$/;
/** Plugin to folder. */
const TRANSLATED: ReadonlyMap<string, string> = new Map([
  ["docusaurus-plugin-content-docs", "docs"],
  ["docusaurus-plugin-content-blog", "blog"],
  ["docusaurus-plugin-content-pages", "src/pages"],
]);
const PAGE = /\.mdx?$/;
/** A page that is a component; Docusaurus ignores tests, and files and folders with an underscore. */
const CODE_PAGE =
  /^src\/pages\/(?!(?:.*\/)?(?:_|__tests__\/))(?!.*\.(?:test|spec|d|module)\.)(.+)\.([jt]sx?)$/;
/** Files that are read with the configuration. */
const READ =
  /^(?:versions\.json|versioned_sidebars\/.*|sidebars\.(?:[cm]?[jt]s|json))$|(?:^|\/)_category_\.(?:json|ya?ml)$/;
/** The source `docusaurus`. */
export const docusaurus = folderSource(
  "the folder of a site, with docs/, blog/ and static/",
  async ({ root, paths }) => {
    const site = await readSite(root, paths);
    const rules: FolderRules = {
      hosts: site.host === null ? [] : [site.host],
      basePath: site.basePath,
      site: site.facts,
      linkRoots: site.isBelow
        ? ["website", "website/static", "docs", "website/docs", "website/blog"]
        : ["static", "docs", "blog"],
      extensions: [".md", ".mdx"],
      isIgnored: (path) => isIgnored(path, site),
      isRead: (path) => CONFIG.test(path) || READ.test(site.own(path)),
      unread: site.unread,
      isPage: (path) => PAGE.test(path) && !isIn(site.own(path), "static"),
      lostPage: (path) => {
        const kind = CODE_PAGE.exec(site.own(path))?.[2];
        return kind === undefined ? null : `a page that a component makes (.${kind})`;
      },
      place: (page) => findPlace(page, site),
      addressOf: (path) => {
        const file = site.own(path);
        const code = CODE_PAGE.exec(file)?.[1];
        if (code !== undefined) return toAddress(code.replace(/(?:^|\/)index$/, ""));
        return isIn(file, "static") ? toAddress(file.slice("static/".length)) : null;
      },
      includes: docusaurusMarks(site.isBelow ? "website" : ""),
      transform: (body, { path }) =>
        mdxText(withoutPartImports(body), path.endsWith(".mdx") ? "mdx" : "md"),
      extra: () => [...sections(site, paths.map(site.own)), ...versionNotes(site)],
      sidebar: await sidebarOfVersions(site, { root, paths }),
    };
    return rules;
  },
);

/** A page, or a translation below `i18n/<language>/`. */
function findPlace(page: PageFile, site: Site): PlacedPage | { reason: string } {
  const path = site.own(page.path);
  const [, lang, plugin = "", rest = ""] = I18N.exec(path) ?? [];
  if (lang === undefined) return place({ ...page, path }, site);
  const folder = TRANSLATED.get(plugin);
  if (folder === undefined) return { reason: "texts of a plugin that is not imported" };
  const originalPath = rest.startsWith("version-")
    ? `versioned_docs/${rest}`
    : `${folder}/${rest.replace(/^current\//, "")}`;
  const placed = place({ ...page, path: originalPath }, site);
  if ("reason" in placed) return placed;
  // By its path, which all languages share.
  const of = placed.addresses.at(-1) ?? placed.route;
  const addresses = placed.addresses
    .filter((address) => address.startsWith("/"))
    .map((address) => toAddress(`/${lang}${address}`));
  return { ...placed, addresses, translation: { lang, of } };
}

/** Folders beside `website/` are not part of the site, except `docs/`. */
function isIgnored(path: string, { own, isBelow }: Site): boolean {
  if (isIn(own(path), "i18n") && !(I18N.test(own(path)) && PAGE.test(path))) return true;
  if (CODE_PAGE.test(own(path))) return false;
  return IGNORED.test(own(path)) || (isBelow && !/^(?:website|docs)\//.test(path));
}

function place(page: PageFile, site: Site): PlacedPage | { reason: string } {
  const { path, data } = page;
  if (/(?:^|\/)_[^/]+$/.test(path)) return { reason: "a part that other pages include" };
  if (isIn(path, "blog")) return placePost(page, site);
  if (isIn(path, "docs")) return placeDocument(page, site, null);
  const [, version = "", rest = ""] = VERSIONED.exec(path) ?? [];
  if (site.versions.includes(version))
    return placeDocument({ ...page, path: `docs/${rest}` }, site, version, versionRoot(version));
  if (isIn(path, "versioned_docs"))
    return { reason: "a version of the documents that versions.json does not name" };
  const folder = [...site.folders].find(([name]) => isIn(path, name));
  if (folder !== undefined) {
    const [name, docs] = folder;
    const below = { ...page, path: `docs/${path.slice(name.length + 1)}` };
    return placeDocument(
      below,
      { ...site, docs, versions: [], latest: null, isNext: false },
      null,
      name,
    );
  }
  if (!isIn(path, "src/pages")) return { reason: "it lies in no folder of pages" };
  const route = toAddress(pathOfPage(path.slice("src/pages/".length)));
  return {
    route,
    template: "default",
    position: parsePosition(data["sidebar_position"]),
    addresses: [route],
  };
}

/** The path of the documents of a version; null for the one that is written now. */
function docsOf({ docs, latest }: Site, version: string | null): string {
  return version === latest ? docs : posix.join(docs, version ?? "next");
}

/** The folder of the documents of a version, below the site. */
function versionRoot(version: string): string {
  return `versioned_docs/version-${version}`;
}

/** The key of a document, which is another one in each version. */
function versionKey(id: string, version: string | null): string {
  return docKey(version === null ? id : `${version}:${id}`);
}

/** The path of a document below `docs/`; one with the name of its folder stands for the folder, as an index does. */
function documentPath(path: string): string {
  const bare = pathOfPage(path.slice("docs/".length));
  const folder = posix.dirname(bare);
  const names = [posix.basename(bare), posix.basename(folder)].map((name) =>
    splitNumber(name).rest.toLowerCase(),
  );
  return folder !== "." && names[0] === names[1] ? folder : bare;
}

/** Places a document at `docs/…`, whose folder in the source is `root`. */
function placeDocument(
  { path, data }: PageFile,
  site: Site,
  version: string | null,
  root = "docs",
): PlacedPage {
  const docs = docsOf(site, version);
  const pagePath = documentPath(path);
  const { rest, position } = splitNumber(posix.basename(pagePath));
  const folder = posix.dirname(pagePath) === "." ? "" : withoutNumbers(posix.dirname(pagePath));
  const id = text(data["id"]);
  const usual = toAddress(posix.join(docs, folder, id ?? rest));
  const slug = text(data["slug"]);
  const route =
    slug === null
      ? usual
      : toAddress(posix.join(docs, slug.startsWith("/") ? slug : posix.join(folder, slug)));
  const isIndex = pagePath === posix.dirname(path.slice("docs/".length));
  const category = isIndex ? site.categories.get(posix.join(root, pagePath)) : undefined;
  const label = category?.label ?? null;
  return {
    route,
    template: "docs",
    position: parsePosition(data["sidebar_position"], category?.position, position),
    addresses: [
      route,
      ...(site.isNext
        ? [toAddress(posix.join(docs, "next", posix.relative(toAddress(docs), route)))]
        : []),
      versionKey(documentId(path, id), version),
      usual,
    ],
    ...(label !== null && { matter: { nav_title: label } }),
  };
}

/** The id by which sidebars call a document: its path without numbers, with the `id` of its front matter. */
function documentId(path: string, id: string | null): string {
  const names = path.slice("docs/".length).replace(PAGE, "").split("/");
  const plain = names.map((name) => splitNumber(name).rest);
  return [...plain.slice(0, -1), id ?? plain.at(-1)].join("/");
}

function placePost({ path, data }: PageFile, site: Site): PlacedPage {
  const pagePath = pathOfPage(path.slice("blog/".length)).replaceAll(
    /(\d{4})\/(\d{2})\/(\d{2})[-/]/g,
    "$1-$2-$3-",
  );
  const { date: day, rest } = splitDate(pagePath);
  const date = parseDate(data["date"]) ?? day;
  const slug = text(data["slug"])?.replace(/^\/+/, "");
  const usual = day === null ? pagePath : `${day.replaceAll("-", "/")}/${rest}`;
  const old = toAddress(posix.join(site.blog, slug ?? usual));
  return {
    route: `/blog/${slug ?? posix.basename(rest)}`,
    template: "post",
    position: null,
    addresses: [old],
    matter: { date },
  };
}

/** Pages for folders that have only a label, of each version. */
function sections(site: Site, paths: readonly string[]): ImportItem[] {
  const roots = [
    { root: "docs", version: null },
    ...site.versions.map((version) => ({ root: versionRoot(version), version })),
  ];
  return roots.flatMap(({ root, version }) => {
    const docs = docsOf(site, version);
    const pages = paths.filter((path) => PAGE.test(path) && isIn(path, root));
    const indexes = new Set(
      pages.map((path) => documentPath(`docs/${path.slice(root.length + 1)}`)),
    );
    return [...site.categories]
      .filter(([path]) => isIn(path, root))
      .map(([path, category]) => ({ folder: path.slice(root.length + 1), category }))
      .filter(({ folder }) => !indexes.has(folder) && !isPageAt(folder, pages, root))
      .flatMap(({ folder, category }) => section(site, { root, docs, folder, category }));
  });
}

/** True when a page, not a folder, has the path: `docs/faq.md` beside `docs/faq/`. */
function isPageAt(folder: string, pages: readonly string[], root: string): boolean {
  return pages.some((path) => path.replace(PAGE, "") === `${root}/${folder}`);
}

/** A folder of documents without a page of its own. */
interface Section {
  readonly root: string;
  /** The prefix of the documents. */
  readonly docs: string;
  readonly folder: string;
  readonly category: Category;
}

/** The page of a folder, and its translations. */
function section(site: Site, { root, docs, folder, category }: Section): ImportItem[] {
  const { label, position } = category;
  const route = toAddress(posix.join(docs, withoutNumbers(folder)));
  const title = label ?? posix.basename(withoutNumbers(folder));
  const page: ImportedPage = {
    kind: "page",
    origin: { file: `${root}/${folder}/_category_.json` },
    route,
    template: "docs",
    position: position ?? splitNumber(posix.basename(folder)).position,
    frontmatter: { title },
    body: { format: "markdown", text: "" },
    base: { url: null, file: null },
    addresses: [route],
    isOptional: true,
  };
  const translations = [...site.sidebar.texts].flatMap(([lang, texts]) => {
    const key = Object.keys(texts).find((one) => one.endsWith(`.category.${title}`));
    return key === undefined ? [] : [translated(page, lang, texts[key] ?? title)];
  });
  return [page, ...translations];
}

function translated(page: ImportedPage, lang: string, title: string): ImportedPage {
  const addresses = [toAddress(`/${lang}${page.route}`)];
  return { ...page, frontmatter: { title }, addresses, translation: { lang, of: page.route } };
}

function withoutNumbers(folder: string): string {
  return folder
    .split("/")
    .map((part) => splitNumber(part).rest)
    .join("/");
}

/** What the report says about versions: the setting of the new site that has them. */
function versionNotes(site: Site): ImportItem[] {
  if (site.versions.length === 0) return [];
  const all = site.latest === null ? [null, ...site.versions] : [...site.versions, null];
  const entries = all.map(
    (version) =>
      `${JSON.stringify(version ?? "next")}: ${cleanRoute(toAddress(docsOf(site, version)))}`,
  );
  const reason = `versions of the documents: add versions: { ${entries.join(", ")} } to site.yaml`;
  return [{ kind: "notImported", origin: { file: "versions.json" }, reason }];
}

/** The sidebars of all versions: the site shows the entries of the version that is read. */
async function sidebarOfVersions(
  site: Site,
  source: Pick<DocusaurusSite, "root" | "paths">,
): Promise<SidebarOfSource | null> {
  const top = site.isBelow ? "website" : "";
  const sidebars: SidebarOfSource[] = [];
  for (const version of [null, ...site.versions]) {
    const sidebar = await docusaurusSidebar({
      ...source,
      ...site.sidebar,
      site: top,
      folder: version === null ? "docs" : posix.join(top, `versioned_docs/version-${version}`),
      keyOf: (id) => versionKey(id, version),
      ...(version !== null && {
        file: posix.join(top, `versioned_sidebars/version-${version}-sidebars.json`),
      }),
    });
    if (sidebar !== null) sidebars.push(sidebar);
  }
  const [first] = sidebars;
  if (first === undefined) return null;
  return {
    file: first.file,
    items: sidebars.flatMap(({ items }) => items),
    notes: sidebars.flatMap(({ file, notes }) => notes.map((note) => ({ file, ...note }))),
  };
}
