/** What the command palette searches beside screens and actions; each source needs a right, which the server checks. */
import { Database, FileText, Image, Settings, UserRound, type IconNode } from "lucide";
import { call } from "../api/request.js";
import { listLibrary } from "../api/media.js";
import { may } from "../api/session.js";
import { editPath, navigate, recordPath } from "../app/router.js";
import { t } from "../app/texts.js";
import { toReason } from "../parts/loading.js";

/** A line of the palette. */
export interface Command {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  readonly icon: IconNode;
  run(): void;
}

/** Results of a search, and why a source could not be searched. */
export interface FoundCommands {
  readonly commands: readonly Command[];
  readonly problems: readonly string[];
}

interface Source {
  readonly permission: string;
  /** Finds what has the words. */
  find(words: string): Promise<readonly Command[]>;
}

const MAX_PAGES = 8;
const MAX_OTHERS = 5;
const FILES = ["site", "system", "admin"] as const;

const SOURCES: readonly Source[] = [
  { permission: "pages.read", find: findPages },
  { permission: "flex.read", find: findRecords },
  { permission: "pages.read", find: findMedia },
  { permission: "users.manage", find: findPeople },
  { permission: "config.read", find: findSettings },
];

/** Searches everything that the account may see; a source that fails does not hide the others. */
export async function findEverywhere(words: string): Promise<FoundCommands> {
  if (words === "") return { commands: [], problems: [] };
  const sources = SOURCES.filter(({ permission }) => may(permission));
  const results = await Promise.allSettled(sources.map(async ({ find }) => find(words)));
  return {
    commands: results.flatMap((one) => (one.status === "fulfilled" ? one.value : [])),
    problems: results.flatMap((one) => (one.status === "rejected" ? toReason(one.reason) : [])),
  };
}

async function findPages(q: string): Promise<Command[]> {
  const { items } = await call("GET /pages", {
    query: { q, limit: MAX_PAGES, broken: "true", languages: "together" },
  });
  return items.map((page) => ({
    id: `page ${page.sourcePath}`,
    label: page.title,
    detail: page.broken === undefined ? page.route : page.sourcePath,
    icon: FileText,
    run: () => navigate(editPath(page.sourcePath)),
  }));
}

async function findRecords(q: string): Promise<Command[]> {
  const { items } = await call("GET /relations/:target", {
    params: { target: "record" },
    query: { q, limit: MAX_OTHERS },
  });
  return items.map(({ key, label, detail }) => {
    const [type = "", id = ""] = key.split("/");
    return {
      id: `record ${key}`,
      label,
      detail,
      icon: Database,
      run: () => navigate(recordPath(type, id)),
    };
  });
}

async function findMedia(q: string): Promise<Command[]> {
  const { items } = await listLibrary({ q, limit: MAX_OTHERS });
  return items.map(({ path, name, folder }) => ({
    id: `media ${path}`,
    label: name,
    detail: folder,
    icon: Image,
    run: () => navigate(`/media?${new URLSearchParams({ q: path, file: path })}`),
  }));
}

async function findPeople(q: string): Promise<Command[]> {
  const { users } = await call("GET /users", { query: { q, limit: MAX_OTHERS } });
  return users.map(({ id, name, username, email }) => ({
    id: `user ${id}`,
    label: name ?? username ?? email,
    detail: email,
    icon: UserRound,
    run: () => navigate(`/users?${new URLSearchParams({ user: id })}`),
  }));
}

/** The settings of the configuration files, whose schemas and texts are loaded with the first search. */
async function findSettings(q: string): Promise<Command[]> {
  const [{ findSettings: find }, groups] = await Promise.all([
    import("./settings/setting-groups.js"),
    (settings ??= loadSettings().catch((error: unknown) => {
      settings = null;
      throw error;
    })),
  ]);
  const found = groups.flatMap(({ file, groups: all }) =>
    find(all, q).flatMap((group) =>
      group.settings.map(({ key, field }) => ({
        id: `setting ${file} ${key}`,
        label: field.label,
        detail: [t("screen.settings"), group.title].filter((part) => part !== "").join(" · "),
        icon: Settings,
        run: () => navigate(`/settings/${file}?${new URLSearchParams({ find: key })}`),
      })),
    ),
  );
  return found.slice(0, MAX_OTHERS);
}

let settings: ReturnType<typeof loadSettings> | null = null;

async function loadSettings() {
  const { settingGroups } = await import("./settings/setting-groups.js");
  return Promise.all(
    FILES.map(async (file) => {
      const { schema, values } = await call("GET /settings/:file", { params: { file } });
      return { file, groups: settingGroups({ schema, values, permission: "config.read" }) };
    }),
  );
}
