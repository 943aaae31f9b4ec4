import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { atomicWrite, errorCode, runningFile } from "#kernel";
import type { Command } from "#kernel";
import { renderFailure } from "../errors.js";

const SCAFFOLD = runningFile("plugins/render/scaffold");
const IGNORED = ".dune/\nnode_modules/\ndist/\n";

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
    out.line();
    out.line(out.colour.bold("Next:"));
    if (place !== "") out.line(`  cd ${place}`);
    out.line("  npx site dev              write, and see it at http://localhost:8000");
    out.line("  npx site serve            serve it");
    out.line("  npx site build --static   make plain files of it");
  },
};

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
  await atomicWrite(join(folder, ".gitignore"), IGNORED);
  return [...files.map((file) => relative(SCAFFOLD, file)), ".gitignore"];
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
