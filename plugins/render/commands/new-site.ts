import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { atomicWrite, errorCode, runningFile } from "#kernel";
import type { Command } from "#kernel";
import { renderFailure } from "../errors.js";

const SCAFFOLD = runningFile("plugins/render/scaffold");
/** No dependencies: `npm install <plugin>` adds them here instead of to a folder above. */
const MANIFEST = {
  private: true,
  type: "module",
  scripts: {
    dev: "site dev",
    start: "site serve",
    check: "site config:validate && site content:check",
    build: "site build --static",
  },
};
/** Not in the scaffold: npm reads files of these names as its own. */
const GENERATED: Readonly<Record<string, string>> = {
  ".gitignore": [".dune/", "node_modules/", "dist/", ".env", ""].join("\n"),
  "package.json": `${JSON.stringify(MANIFEST, null, 2)}\n`,
};
const ADMIN_URL = "http://localhost:8000/admin";
const PASSWORD_FILE = ".dune/admin/initial-admin-password";

/** `site new <dir>`: a small site to begin with. */
export const newSite: Command = {
  name: "new",
  summary: "make a new site in an empty folder",
  arguments: "<dir>",
  async run({ args, out }) {
    const folder = resolve(args[0] ?? ".");
    const files = await scaffoldSite(folder, new Date());
    for (const file of files) out.line(`${out.colour.green("made")} ${file}`);
    const near = relative(process.cwd(), folder);
    const place = near.startsWith("..") ? folder : near;
    for (const line of nextSteps(place, out.colour.bold)) out.line(line);
  },
};

/** `place`: the site as seen from the current folder, where `npx site` is known to work. */
function nextSteps(place: string, bold: (text: string) => string): string[] {
  const root = place === "" ? "" : ` --root ${quoted(place)}`;
  return [
    "",
    bold("Next:"),
    `  npx site dev${root}    write, and see it at http://localhost:8000`,
    `  npx site serve${root}    serve it`,
    `  npx site build --static${root}    make plain files of it`,
    "",
    `${bold("Admin panel:")} ${ADMIN_URL}, user admin`,
    `  the first start writes the password to ${join(place, PASSWORD_FILE)}`,
  ];
}

/** As a shell reads it back. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/**
 * Writes the scaffold into `folder`, dated `now`; resolves with what was written.
 * @throws ERR_SCAFFOLD_NOT_EMPTY, and nothing is written.
 */
export async function scaffoldSite(folder: string, now: Date): Promise<readonly string[]> {
  const present = await namesIn(folder);
  if (present.length > 0) {
    throw renderFailure(
      "ERR_SCAFFOLD_NOT_EMPTY",
      `${JSON.stringify(folder)} is not empty (${present.slice(0, 3).join(", ")})`,
      {
        fix: "choose a folder that is empty or does not exist",
      },
    );
  }
  const values = { title: titleOf(folder), date: now.toISOString().slice(0, 10) };
  const entries = await readdir(SCAFFOLD, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    await atomicWrite(
      join(folder, relative(SCAFFOLD, file)),
      fill(await readFile(file), file, values),
    );
  }
  for (const [name, text] of Object.entries(GENERATED)) {
    await atomicWrite(join(folder, name), text);
  }
  return [...files.map((file) => relative(SCAFFOLD, file)), ...Object.keys(GENERATED)];
}

function fill(bytes: Buffer, file: string, values: Record<string, string>): Buffer | string {
  if (!/\.(?:md|yaml)$/.test(file)) return bytes;
  return bytes
    .toString("utf8")
    .replace(/\{\{(\w+)\}\}/g, (found, name: string) => values[name] ?? found);
}

// Letters, digits and spaces alone: it stands between quotes in YAML.
function titleOf(folder: string): string {
  const words = basename(folder)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const title = words.join(" ");
  return title === "" ? "My site" : title.charAt(0).toUpperCase() + title.slice(1);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}
