import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errorCode } from "#lib/errors";
import { readData, schemaTexts } from "#lib/schema";
import { readYaml } from "#lib/yaml";
import type { SettingsProblem } from "#kernel";
import type { ContentProblem, ContentService } from "../../content/contract.js";

/** One entry of `sidebar.yaml`: a page, an address, or a group of entries. */
export interface SidebarEntry {
  /** A text, or texts by language. */
  title?: string | Record<string, string> | undefined;
  /** Route of a page; its title is the default. */
  page?: string | undefined;
  url?: string | undefined;
  items?: SidebarEntry[] | undefined;
}

/** Name of the file, in the site root. */
export const SIDEBAR_FILE = "sidebar.yaml";

const entry: z.ZodType<SidebarEntry> = z.lazy(() =>
  z
    .strictObject({
      title: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
      page: z.string().regex(/^\//, { error: "the route of a page, such as /guide" }).optional(),
      url: z
        .string()
        .regex(/^(?:https?:\/\/|\/(?!\/)|#)/, { error: "an address: https://… or /path" })
        .optional(),
      items: z.array(entry).optional(),
    })
    .refine(({ title, page }) => title !== undefined || page !== undefined, {
      error: "an entry needs `page` or `title`",
    }),
);
const file = z.array(entry);

/** A mistake in the file. */
export interface SidebarMistake {
  readonly line?: number;
  /** The key that is wrong; absent: the file as a whole. */
  readonly key?: string;
  readonly message: string;
}
/** The contents of the file; it has no entries when it is missing or has mistakes. */
export interface SidebarFile {
  readonly entries: readonly SidebarEntry[] | null;
  readonly mistakes: readonly SidebarMistake[];
  /** The routes that it names. */
  readonly pages: readonly { readonly route: string; readonly line?: number }[];
  /** Null without a file. */
  readonly text: string | null;
}
type Path = readonly PropertyKey[];

/** Reads `sidebar.yaml` of a site; returns `last` while the file has the same text. */
export function readSidebar(root: string, last?: SidebarFile): SidebarFile {
  const text = readText(join(root, SIDEBAR_FILE));
  if (last !== undefined && last.text === text) return last;
  if (text === null) return { entries: null, mistakes: [], pages: [], text };
  const document = readYaml(text);
  const failed = (mistake: SidebarMistake): SidebarFile => ({
    entries: null,
    mistakes: [mistake],
    pages: [],
    text,
  });
  const { mistake, values, texts } = document;
  if (mistake !== null) return failed({ line: mistake.line, message: mistake.message });
  const parsed = readData(file, schemaTexts(file, values, texts));
  const placed = (path: Path) => ({ line: document.lineOf(path) });
  if (parsed.mistakes === null) {
    const pages = listPages(parsed.data).map(({ route, path }) => ({ route, ...placed(path) }));
    return { entries: parsed.data, mistakes: [], pages, text };
  }
  const [{ path, unknown, fix, message }] = parsed.mistakes;
  const key = path.findLast((part) => typeof part === "string");
  const why = unknown === undefined ? message : `${message}; ${fix}`;
  return failed({ ...placed(path), ...(key !== undefined && { key }), message: why });
}

/** The mistakes of the file, for `site config:validate`. */
export function sidebarProblems({ mistakes, text }: SidebarFile): SettingsProblem[] {
  const lines = text?.split("\n") ?? [];
  return mistakes.map(({ line = 1, key = "", message }) => ({
    file: "site",
    key,
    received: lines[line - 1]?.trim() ?? "",
    expected: key === "" ? `a list of pages in valid YAML: ${message}` : message,
    fix: SIDEBAR_FIX,
    place: { file: SIDEBAR_FILE, line },
  }));
}

/** The fix of every mistake in the file. */
export const SIDEBAR_FIX = "correct the file, or remove it: the sidebar then follows the tree";

function listPages(
  entries: readonly SidebarEntry[],
  path: Path = [],
): { route: string; path: Path }[] {
  return entries.flatMap(({ page, items = [] }, index) => [
    ...(page === undefined ? [] : [{ route: page, path: [...path, index, "page"] }]),
    ...listPages(items, [...path, index, "items"]),
  ]);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

const FOUND = { sourcePath: SIDEBAR_FILE, code: "ERR_SIDEBAR_FILE" } as const;

/** The mistakes in `sidebar.yaml`, and the pages in it that do not exist. */
export function problemsOfSidebar(
  { mistakes, pages }: SidebarFile,
  content: ContentService,
  languages: readonly string[],
): ContentProblem[] {
  const generation = content.generation();
  const missing = pages.filter(
    ({ route }) => !languages.some((lang) => generation.at(route, lang) !== undefined),
  );
  return [
    ...mistakes.map(({ key, message, ...mistake }): ContentProblem => {
      const text = key === undefined ? message : `${key}: ${message}`;
      return { ...FOUND, ...mistake, message: text, severity: "error", fix: SIDEBAR_FIX };
    }),
    ...missing.map(({ route, ...line }): ContentProblem => {
      const message = `the page ${JSON.stringify(route)} does not exist`;
      const fix = "correct the route, or remove the entry; until then it is left out";
      return { ...FOUND, ...line, severity: "warning", message, fix };
    }),
  ];
}
