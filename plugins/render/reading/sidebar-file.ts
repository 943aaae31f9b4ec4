import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { errorCode, readYaml } from "#kernel/internal";
import type { SettingsProblem } from "#kernel";

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

/** What is in the file: null without one, or with mistakes, which are then in `problems`. */
export interface SidebarFile {
  readonly entries: readonly SidebarEntry[] | null;
  readonly problems: readonly SettingsProblem[];
}

/** Reads `sidebar.yaml` of a site. */
export function readSidebar(root: string): SidebarFile {
  const text = textOf(join(root, SIDEBAR_FILE));
  if (text === null) return { entries: null, problems: [] };
  const document = readYaml(text);
  const broken = document.errors[0];
  if (broken !== undefined) return failed("", broken.message.split("\n")[0] ?? "");
  const parsed = file.safeParse(document.toJS({ maxAliasCount: 100 }), { jitless: true });
  if (parsed.success) return { entries: parsed.data, problems: [] };
  const issue = parsed.error.issues[0];
  return failed(issue?.path.join(".") ?? "", issue?.message ?? "invalid");
}

function failed(place: string, message: string): SidebarFile {
  const where = place === "" ? SIDEBAR_FILE : `${SIDEBAR_FILE}, entry ${place}`;
  const problem: SettingsProblem = {
    file: "site",
    key: "theme.preset",
    received: SIDEBAR_FILE,
    expected: `${where}: ${message}`,
    fix: "correct the file, or remove it: the sidebar then follows the tree",
  };
  return { entries: null, problems: [problem] };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
