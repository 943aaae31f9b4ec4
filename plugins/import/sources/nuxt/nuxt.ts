/** Nuxt Content: the folder of a site, with `content/` and `public/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import type { ImportItem } from "../../contract.js";
import { readConfigFile } from "../source-files.js";
import { fileKey } from "../../plan/address-key.js";
import { guessLanguages, type LanguageFolders } from "../languages.js";
import { parseYamlMap, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  isIn,
  type PageFile,
  pathOfPage,
  type PlacedPage,
  splitNumber,
  toAddress,
} from "../files/folder-source.js";
import { mdcText } from "./mdc-text.js";
import { readSiteConfig } from "../files/site-config.js";

const PAGE = /\.md$/i;
const FOLDER = /(?:^|\/)(?:\.navigation|_dir)\.ya?ml$/;
const KEYS_READ = ["navigation", "icon"];
const KEYS_LOST = ["links", "toc", "head", "seo", "badge", "layout", "main", "ogImage"];
const CONFIGS = ["ts", "js", "mjs", "mts"].map((ending) => `nuxt.config.${ending}`);
const DATA = /\.(?:ya?ml|json5?|csv)$/i;

/** The settings of a folder. */
interface FolderSettings {
  readonly title: string | null;
  readonly isShown: boolean;
  readonly redirect: string | null;
}

/** The source `nuxt`. */
export const nuxt = folderSource(
  "the folder of a site, with content/ and public/",
  async ({ root, paths }) => {
    const first = paths.find((path) => /(?:^|\/)content\/.*\.md$/.test(path)) ?? "content/x.md";
    const above = first.slice(0, first.indexOf("content/"));
    const content = `${above}content`;
    const files = `${above}public`;
    const config = await readSiteConfig(
      root,
      CONFIGS.map((name) => above + name),
    );
    const { host, basePath } = readAddress(config.map);
    const below = (path: string): string => path.slice(content.length + 1);
    const folders = await readFolders(
      root,
      paths.filter((path) => isIn(path, content)),
      below,
    );
    const isPage = (path: string): boolean => isIn(path, content) && PAGE.test(path);
    const languages = readLanguages(config.map["i18n"], paths.filter(isPage), content);
    const rules: FolderRules = {
      hosts: host,
      basePath,
      linkRoots: [files, content],
      extensions: [".md"],
      isIgnored: (path) => (!isIn(path, content) && !isIn(path, files)) || FOLDER.test(path),
      isPage,
      lostPage: (path) => {
        if (isIn(path, files)) return null;
        if (
          below(path)
            .split("/")
            .some((part) => part.startsWith("."))
        )
          return "a hidden file";
        if (DATA.test(path)) return "a data file, which no page shows";
        return isPage(path) && /(?:^|\/)_[^/]+$/.test(path)
          ? "a part of other pages, which has no address"
          : null;
      },
      keysRead: KEYS_READ,
      keysLost: KEYS_LOST,
      place: (page) => placeIn(page, { content, folders, codes: languages.codes }),
      addressOf: (path) =>
        toAddress(isIn(path, files) ? path.slice(files.length + 1) : withoutNumbers(below(path))),
      transform: (body, { data }) => mdcText(body, data),
      extra: () => [
        ...languages.notes,
        ...sections(folders, paths.filter(isPage).map(below), languages.codes),
        ...redirects(folders, content),
      ],
    };
    return rules;
  },
  [".navigation.yml", ".navigation.yaml"],
);

function readAddress(map: Readonly<Record<string, unknown>>): { host: string[]; basePath: string } {
  const site = isRecord(map["site"]) ? map["site"] : {};
  const app = isRecord(map["app"]) ? map["app"] : {};
  const url = text(site["url"]) ?? "";
  return {
    host: URL.canParse(url) ? [new URL(url).hostname] : [],
    basePath: text(app["baseURL"]) ?? "",
  };
}

/** Settings of folders, by folder below `content/`; all folders of pages are there. */
async function readFolders(
  root: string,
  paths: readonly string[],
  below: (path: string) => string,
): Promise<ReadonlyMap<string, FolderSettings>> {
  const folders = new Map<string, FolderSettings>();
  for (const path of paths.filter((one) => FOLDER.test(one))) {
    const parsed = parseYamlMap(await readConfigFile(root, path));
    const data = "data" in parsed ? parsed.data : {};
    const navigation = isRecord(data["navigation"]) ? data["navigation"] : data;
    folders.set(posix.dirname(below(path)), {
      title: text(navigation["title"]) ?? text(data["title"]),
      isShown: data["navigation"] !== false,
      redirect: text(navigation["redirect"]) ?? text(data["redirect"]),
    });
  }
  return folders;
}

/** The languages of the module i18n that have folders, or those that folders name; the main one first. */
function readLanguages(i18n: unknown, pages: readonly string[], content: string): LanguageFolders {
  const options = isRecord(i18n) ? i18n : {};
  const written: unknown[] = Array.isArray(options["locales"]) ? options["locales"] : [];
  const codes = written.flatMap((one) => text(isRecord(one) ? one["code"] : one) ?? []);
  const main = text(options["defaultLocale"]);
  const own = codes.filter((code) => pages.some((page) => isIn(page, `${content}/${code}`)));
  if (own.length > 0) {
    const first = own.find((code) => code === main) ?? own[0] ?? "";
    return { codes: [first, ...own.filter((code) => code !== first)], notes: [] };
  }
  return guessLanguages(pages, content, main);
}

/** What decides the place of a page. */
interface NuxtSite {
  readonly content: string;
  readonly folders: ReadonlyMap<string, FolderSettings>;
  readonly codes: readonly string[];
}

/** The place of a page, or of a translation in the folder of its language. */
function placeIn(page: PageFile, { content, folders, codes }: NuxtSite): PlacedPage {
  const below = page.path.slice(content.length + 1);
  const [main = ""] = codes;
  const code = codes.find((one) => isIn(below, one));
  if (code === undefined) return place(page, below, folders);
  const rest = below.slice(code.length + 1);
  const placed = place(page, rest, foldersIn(code, folders));
  const own = toAddress(`/${code}${placed.route}`);
  if (code === main) return { ...placed, addresses: [...placed.addresses, own] };
  const of = fileKey(`${content}/${main}/${rest}`);
  return { ...placed, addresses: [own], translation: { lang: code, of } };
}

/** The folders of one language, without its own. */
function foldersIn(
  code: string,
  folders: ReadonlyMap<string, FolderSettings>,
): ReadonlyMap<string, FolderSettings> {
  return new Map(
    [...folders]
      .filter(([folder]) => isIn(folder, code))
      .map(([folder, settings]) => [folder.slice(code.length + 1), settings]),
  );
}

function place(
  { data }: PageFile,
  below: string,
  folders: ReadonlyMap<string, FolderSettings>,
): PlacedPage {
  const bare = pathOfPage(below.replace(/(^|\/)\d+\.index\.md$/, "$1index.md"));
  const isIndex = bare !== below.replace(PAGE, "");
  const route = toAddress(withoutNumbers(bare).toLowerCase().replaceAll(" ", "-"));
  const folder = isIndex ? folders.get(bare) : undefined;
  const navigation = isRecord(data["navigation"]) ? data["navigation"] : {};
  return {
    route,
    template: "docs",
    position: splitNumber(posix.basename(bare)).position,
    addresses: [route],
    matter: {
      nav_title: text(navigation["title"]) ?? (data["title"] === undefined ? null : folder?.title),
      ...((data["navigation"] === false || folder?.isShown === false) && { visible: false }),
    },
  };
}

/** Pages for folders that have a title and no page, in the main language. */
function sections(
  settings: ReadonlyMap<string, FolderSettings>,
  files: readonly string[],
  [main]: readonly string[],
): ImportItem[] {
  const folders = main === undefined ? settings : foldersIn(main, settings);
  const pages =
    main === undefined
      ? files
      : files.filter((file) => isIn(file, main)).map((file) => file.slice(main.length + 1));
  const all = new Map(folders);
  for (const page of pages) {
    for (let at = posix.dirname(page); at !== "."; at = posix.dirname(at)) {
      if (!all.has(at)) all.set(at, { title: null, isShown: true, redirect: null });
    }
  }
  return [...all].flatMap(([folder, { title, redirect }]): ImportItem[] => {
    const hasPage = pages.some(
      (page) => pathOfPage(page.replace(/(^|\/)\d+\.index\.md$/, "$1index.md")) === folder,
    );
    if (folder === "." || hasPage || redirect !== null) return [];
    const { position, rest } = splitNumber(posix.basename(folder));
    const words = rest.replaceAll("-", " ");
    return [
      {
        kind: "page",
        origin: { file: `content/${folder}` },
        route: toAddress(withoutNumbers(folder)),
        template: "docs",
        position,
        frontmatter: { title: title ?? words.charAt(0).toUpperCase() + words.slice(1) },
        body: { format: "markdown", text: "" },
        base: { url: null, file: null },
        addresses: [toAddress(withoutNumbers(folder))],
        isOptional: true,
      },
    ];
  });
}

/** A folder that leads to one of its pages. */
function redirects(folders: ReadonlyMap<string, FolderSettings>, content: string): ImportItem[] {
  return [...folders].flatMap(([folder, { redirect }]): ImportItem[] =>
    redirect === null
      ? []
      : [
          {
            kind: "redirect",
            origin: { file: `${content}/${folder}` },
            from: toAddress(withoutNumbers(folder)),
            to: redirect,
          },
        ],
  );
}

function withoutNumbers(path: string): string {
  return path
    .split("/")
    .map((part) => splitNumber(part).rest)
    .join("/");
}
