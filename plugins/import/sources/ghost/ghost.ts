/** Ghost: the JSON file of Settings → Import/Export, alone or in a folder with `content/` and the members as CSV. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseEmailAddress } from "#kernel/internal";
import type { ImportItem, ImportSource, SourceInput } from "../../contract.js";
import { sourceError } from "../../errors.js";
import { readCsv } from "../read-csv.js";
import { folderFiles } from "../files/walk-folder.js";
import { ghostPosts, readGhostData, type GhostData } from "./ghost-export.js";
import { GhostPages } from "./ghost-pages.js";

/** Folders of uploads below `content/`. */
const UPLOADS = ["images", "media", "files"];

/** The source `ghost`. */
export const ghost: ImportSource = {
  summary:
    "the JSON file of Settings → Import/Export, or a folder with it, content/ and members.csv",
  items,
};

async function* items({ path }: SourceInput): AsyncGenerator<ImportItem> {
  const files = await filesOf(path);
  const data = await readGhostData(files.json);
  const file = basename(files.json);
  yield { kind: "site", hosts: ["ghost.invalid"] };
  const pages = new GhostPages(data, file);
  yield* uploads(files.folder);
  for await (const post of ghostPosts(files.json)) yield pages.toPage(post);
  if (data.users.length > 0) {
    const reason = `${data.users.length} accounts of authors: pages have their names, create accounts with users:create`;
    yield { kind: "notImported", origin: { file }, reason };
  }
  yield* members(data, file);
  if (files.members !== null) yield* csvMembers(files.members);
}

interface GhostFiles {
  readonly json: string;
  readonly folder: string;
  readonly members: string | null;
}

async function filesOf(path: string): Promise<GhostFiles> {
  const stats = await stat(path).catch(() => null);
  if (stats === null)
    throw sourceError({ file: basename(path) }, "there is no such file or folder");
  if (!stats.isDirectory()) return { json: path, folder: dirname(path), members: null };
  // Links could lead to any file of this machine.
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  const exports = names.filter((name) => name.endsWith(".json"));
  const [json] = exports;
  if (json === undefined || exports.length > 1) {
    throw sourceError(
      { file: basename(path) },
      `the folder has ${exports.length} JSON files`,
      "name the export itself",
    );
  }
  const members = names.find((name) => /^members\b.*\.csv$/.test(name));
  return {
    json: join(path, json),
    folder: path,
    members: members === undefined ? null : join(path, members),
  };
}

/** Uploads that are beside the export. */
async function* uploads(folder: string): AsyncGenerator<ImportItem> {
  for (const kind of UPLOADS) {
    if (!(await isOwnFolder(folder, `content/${kind}`))) continue;
    for await (const found of folderFiles(join(folder, "content", kind))) {
      const address = `content/${kind}/${found.path}`;
      const origin = { file: address };
      if (found.issue !== null) yield { kind: "notImported", origin, reason: found.issue };
      // Sizes that Ghost makes itself.
      else if (!found.path.startsWith("size/")) {
        const folderOf = dirname(found.path);
        yield {
          kind: "media",
          origin,
          name: basename(found.path),
          from: { file: found.file },
          folder: folderOf === "." ? "media" : `media/${folderOf}`,
          owner: null,
          addresses: [`/${address}`],
        };
      }
    }
  }
}

/** False for a folder that is a link, or that is behind one. */
async function isOwnFolder(root: string, path: string): Promise<boolean> {
  const [real, top] = await Promise.all([
    realpath(join(root, path)).catch(() => null),
    realpath(root),
  ]);
  return real === join(top, path);
}

function* members({ members: list }: GhostData, file: string): Generator<ImportItem> {
  for (const { email, name, status } of list) {
    yield account({ email, name, isPaid: status === "paid" || status === "comped" }, { file });
  }
}

async function* csvMembers(path: string): AsyncGenerator<ImportItem> {
  const file = basename(path);
  for await (const { values, line } of readCsv(path)) {
    const isPaid = values["complimentary_plan"] === "true" || (values["tiers"] ?? "") !== "";
    yield account(
      { email: values["email"] ?? "", name: values["name"] ?? "", isPaid },
      { file, line },
    );
  }
}

function account(
  member: { email: string; name: string; isPaid: boolean },
  origin: { file: string; line?: number },
): ImportItem {
  const email = parseEmailAddress(member.email);
  if (email === null) {
    const reason = `member ${JSON.stringify(member.email.slice(0, 100))}: it is not an e-mail address`;
    return { kind: "notImported", origin, reason };
  }
  return {
    kind: "account",
    origin,
    email,
    name: member.name || null,
    roles: member.isPaid ? ["paid"] : [],
  };
}
