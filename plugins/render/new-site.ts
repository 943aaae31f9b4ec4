import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { atomicWrite, type Command, optionError } from "#kernel";
import { pathFromHere, quotedPath } from "#lib/terminal";
import { errorCode } from "#lib/errors";
import { runningFile, packageRoot, readPackage } from "#lib/packages";
import { renderFailure } from "./errors.js";

const SCAFFOLD = runningFile("plugins/render/scaffold");
/** Folder of the pages of documentation, which replace those of the scaffold. */
const DOCS = "docs";
const PRESETS = ["site", "blog", "docs"] as const;
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
/** `data/` has the accounts. */
const GITIGNORE = [".dune/", "data/", "node_modules/", "dist/", ".env", ""].join("\n");
const ADMIN_URL = "http://localhost:8000/admin";
const PASSWORD_FILE = ".dune/admin/initial-admin-password";

/** `site new <dir>`: creates a small starter site. */
export const newSite: Command = {
  name: "new",
  summary: "make a new site in an empty folder",
  arguments: "<dir>",
  options: [["--preset <name>", "docs, blog or site (default): what the theme is for"]],
  async run({ args, out, options }) {
    const folder = resolve(args[0] ?? ".");
    const files = await scaffoldSite(folder, new Date(), parsePreset(options["preset"]));
    for (const file of files) out.line(`${out.colour.green("made")} ${file}`);
    for (const line of nextSteps(pathFromHere(folder), out.colour.bold)) out.line(line);
  },
};

/** `place`: the site as seen from the current folder, in which `npx sitewright` works. */
function nextSteps(folder: string, bold: (text: string) => string): string[] {
  const root = folder === "." ? "" : ` --root ${quotedPath(folder)}`;
  const steps = [
    ["dev", "write, and see it at http://localhost:8000"],
    ["serve", "serve it"],
    ["build --static", "make plain files of it"],
  ].map(([command, what]) => [`npx sitewright ${command}${root}`, what] as const);
  const width = Math.max(...steps.map(([command]) => command.length));
  return [
    "",
    bold("Next:"),
    ...steps.map(([command, what]) => `  ${command.padEnd(width)}  ${what}`),
    "",
    `${bold("Admin panel:")} ${ADMIN_URL}, user admin`,
    `  the first start writes the password to ${join(folder, PASSWORD_FILE)}`,
  ];
}

/** Quotes for a shell. */
type Preset = (typeof PRESETS)[number];

/** @throws ERR_CLI_OPTION */
function parsePreset(value: unknown): Preset {
  const preset = PRESETS.find((name) => name === (value ?? "site"));
  if (preset !== undefined) return preset;
  throw optionError(`--preset is ${JSON.stringify(value)}`, {
    fix: `use ${PRESETS.join(", ")}`,
  });
}

/**
 * Writes the scaffold into `folder`, dated `now`; resolves with the written files.
 * @throws ERR_SCAFFOLD_NOT_EMPTY, and nothing is written.
 */
export async function scaffoldSite(
  folder: string,
  now: Date,
  preset: Preset = "site",
): Promise<readonly string[]> {
  const present = await listNames(folder);
  if (present.length > 0) {
    throw renderFailure(
      "ERR_SCAFFOLD_NOT_EMPTY",
      `${JSON.stringify(folder)} is not empty (${present.slice(0, 3).join(", ")})`,
      {
        fix: "choose a folder that is empty or does not exist",
        exitCode: 2,
      },
    );
  }
  const feed = preset === "blog" ? "full" : "summary";
  const values = { title: toTitle(folder), date: now.toISOString().slice(0, 10), preset, feed };
  const files = await scaffoldFiles(preset);
  for (const [path, file] of files) {
    await atomicWrite(join(folder, path), fill(await readFile(file), file, values), {
      access: "shared",
    });
  }
  const generated = generatedFiles(folder);
  for (const [name, text] of Object.entries(generated)) {
    await atomicWrite(join(folder, name), text, { access: "shared" });
  }
  return [...files.keys(), ...Object.keys(generated)];
}

/** Files of a scaffold by their path in the new site. */
async function scaffoldFiles(preset: Preset): Promise<Map<string, string>> {
  const files = await readFiles(SCAFFOLD);
  const dropped = preset === "docs" ? ["content", "blueprints", DOCS] : [DOCS];
  const selected = [...files].filter(([path]) => !dropped.includes(path.split(sep, 1)[0] ?? ""));
  return new Map([
    ...selected,
    ...(preset === "docs" ? await readFiles(join(SCAFFOLD, DOCS)) : []),
  ]);
}

async function readFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.sort().map((file) => [relative(folder, file), file]));
}

/** Not in the scaffold, because npm interprets files with these names. */
function generatedFiles(folder: string): Record<string, string> {
  const manifest = { ...MANIFEST, dependencies: ownDependency(folder) };
  return { ".gitignore": GITIGNORE, "package.json": `${JSON.stringify(manifest, null, 2)}\n` };
}

function fill(bytes: Buffer, file: string, values: Record<string, string>): Buffer | string {
  if (!/\.(?:md|yaml)$/.test(file)) return bytes;
  return bytes
    .toString("utf8")
    .replace(/\{\{(\w+)\}\}/g, (marker, name: string) => values[name] ?? marker);
}

// Only letters, digits and spaces, because it is inside quotes in YAML.
function toTitle(folder: string): string {
  const words = basename(folder)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const title = words.join(" ");
  return title === "" ? "My site" : title.charAt(0).toUpperCase() + title.slice(1);
}

async function listNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

const MODULES = `${sep}node_modules${sep}`;
const record = z.object({
  packages: z.record(z.string(), z.looseObject({ resolved: z.string().optional() })),
});

/**
 * The running package as a dependency of a site in `folder`, in a form that npm can install: its
 * version, or its clone or tarball.
 */
function ownDependency(folder: string): Record<string, string> {
  const { name, version } = readPackage();
  const source = localSource(packageRoot(), name);
  if (source === null) return { [name]: `^${version}` };
  return { [name]: `file:${relative(folder, source).split(sep).join("/")}` };
}

/** Path of the clone or tarball of `root`; null for a package from a registry. */
function localSource(root: string, name: string): string | null {
  const at = root.lastIndexOf(MODULES);
  if (at === -1) return root;
  const project = root.slice(0, at);
  const source = findInstalled(project, name);
  return source?.startsWith("file:") === true
    ? resolve(project, source.slice("file:".length))
    : null;
}

function findInstalled(project: string, name: string): string | undefined {
  try {
    const text = readFileSync(join(project, "node_modules", ".package-lock.json"), "utf8");
    return record.parse(JSON.parse(text)).packages[`node_modules/${name}`]?.resolved;
  } catch {
    // Another package manager, or no record: install from the registry.
    return undefined;
  }
}
