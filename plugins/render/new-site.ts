import { readdir, readFile } from "node:fs/promises";
import { basename, join, relative, resolve, sep } from "node:path";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { atomicWrite, type Command, optionError } from "#kernel";
import { pathFromHere, quotedPath } from "#lib/terminal";
import { errorCode } from "#lib/errors";
import { runningFile, packageRoot, readPackage } from "#lib/packages";
import { isRecord, parseJson } from "#lib/values";
import type { Preset } from "./contract.js";
import { renderFailure } from "./errors.js";
import { PRESETS } from "./settings.js";
import { readManifest } from "./theme/manifest.js";
import { packagedThemeFolder } from "./theme/theme.js";

const SCAFFOLD = runningFile("plugins/render/scaffold");
/** Presets with pages of their own, in the folder of their name, which replace those of the scaffold. */
const OWN_PAGES: readonly Preset[] = ["docs", "portfolio"];
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
const GITIGNORE = [
  ".dune/",
  "data/",
  "node_modules/",
  ".yarn/install-state.gz",
  "dist/",
  ".env",
  "",
].join("\n");
const ADMIN_URL = "http://localhost:8000/admin";
const PASSWORD_FILE = ".dune/admin/initial-admin-password";

/**
 * What `npm init`, an installation and `git init` write: a folder with nothing else counts as empty, so that a
 * site can be made where its package is installed.
 */
const BEFORE_A_SITE: readonly string[] = [
  ".git",
  ".npmrc",
  ".yarn",
  ".yarnrc.yml",
  "bun.lock",
  "node_modules",
  "package-lock.json",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "yarn.lock",
];

/** Options of `site new`. */
export interface NewSiteOptions {
  /** Default: `site`. */
  readonly preset?: Preset;
  /** Title; default: the name of the folder. */
  readonly title?: string;
  /** Languages of the site, the default first; default: English. */
  readonly languages?: readonly string[];
  /** Look of the default theme; default: its first. */
  readonly look?: string;
}

/** `site new <dir>`: creates a small starter site. */
export const newSite: Command = {
  name: "new",
  summary: "make a new site in an empty folder",
  arguments: "<dir>",
  options: [
    ["--preset <name>", "docs, blog, portfolio or site (default): what the theme is for"],
    ["--name <title>", "title of the site; default: the name of the folder"],
    ["--languages <codes>", "languages, the default first, such as en,de; default: en"],
    ["--look <name>", "paper (default), slate, book or poster: how the theme looks"],
  ],
  async run({ args, out, options }) {
    const folder = resolve(args[0] ?? ".");
    const files = await scaffoldSite(folder, new Date(), parseOptions(options));
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
    ["build --static", "export plain files to dist/"],
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

const LANGUAGE = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
/** Longest title, in characters. */
const MAX_TITLE = 200;

/** @throws ERR_CLI_OPTION */
function parseOptions(options: Readonly<Record<string, unknown>>): NewSiteOptions {
  const { preset, name, languages, look } = options;
  return {
    ...(preset !== undefined && { preset: parseChoice("--preset", preset, PRESETS) }),
    ...(name !== undefined && { title: parseTitle(name) }),
    ...(languages !== undefined && { languages: parseLanguages(languages) }),
    ...(look !== undefined && { look: parseChoice("--look", look, themeLooks()) }),
  };
}

function parseChoice<const Choice extends string>(
  option: string,
  value: unknown,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((name) => name === value);
  if (choice !== undefined) return choice;
  throw optionError(`${option} is ${JSON.stringify(value)}`, { fix: `use ${choices.join(", ")}` });
}

function parseTitle(value: unknown): string {
  const title = String(value).trim();
  if (title !== "" && title.length <= MAX_TITLE && !/\p{Cc}/u.test(title)) return title;
  throw optionError(`--name is ${JSON.stringify(value)}`, {
    fix: `use a title of one line and at most ${MAX_TITLE} characters`,
  });
}

function parseLanguages(value: unknown): readonly string[] {
  const codes = String(value).split(/[\s,]+/);
  const wrong = codes.find((code, at) => !LANGUAGE.test(code) || codes.indexOf(code) !== at);
  if (wrong === undefined) return codes;
  throw optionError(`--languages is ${JSON.stringify(value)}`, {
    fix: "use different codes with commas between them, the default first, such as en,pt-BR",
  });
}

/** The looks of the packaged theme, the default first. */
function themeLooks(): readonly string[] {
  return Object.keys(readManifest(packagedThemeFolder(), packageRoot()).looks);
}

/**
 * Writes the scaffold into the folder `path`, dated `now`; resolves with the written files. Missing entries
 * are added to an existing `package.json`.
 * @throws ERR_SCAFFOLD_NOT_EMPTY, and nothing is written.
 */
export async function scaffoldSite(
  path: string,
  now: Date,
  options: NewSiteOptions = {},
): Promise<readonly string[]> {
  const folder = resolve(path);
  const present = (await listNames(folder)).filter((name) => !BEFORE_A_SITE.includes(name));
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
  const { preset = "site", title = toTitle(folder), languages = ["en"] } = options;
  const { look = themeLooks()[0] ?? "" } = options;
  const values = {
    // Within double quotes of YAML, which has the escapes of JSON.
    title: JSON.stringify(title).slice(1, -1),
    date: now.toISOString().slice(0, 10),
    year: String(now.getUTCFullYear()),
    preset,
    look,
    languages: languages.join(", "),
    language: languages[0] ?? "en",
    feed: preset === "blog" ? "full" : "summary",
  };
  const generated = generatedFiles(folder);
  const files = await scaffoldFiles(preset);
  for (const [path, file] of files) {
    await atomicWrite(join(folder, path), fill(await readFile(file), file, values), {
      access: "shared",
    });
  }
  for (const [name, text] of Object.entries(generated)) {
    await atomicWrite(join(folder, name), text, { access: "shared" });
  }
  return [...files.keys(), ...Object.keys(generated)];
}

/** Files of a scaffold by their path in the new site. */
async function scaffoldFiles(preset: Preset): Promise<Map<string, string>> {
  const files = await readFiles(SCAFFOLD);
  const isOwn = OWN_PAGES.includes(preset);
  const dropped = [...OWN_PAGES, ...(isOwn ? ["content", "blueprints"] : [])];
  const shared = [...files].filter(([path]) => !dropped.includes(path.split(sep, 1)[0] ?? ""));
  return new Map([...shared, ...(isOwn ? await readFiles(join(SCAFFOLD, preset)) : [])]);
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
  const manifest = completeManifest(folder, readOwnManifest(join(folder, "package.json")));
  return { ".gitignore": GITIGNORE, "package.json": `${JSON.stringify(manifest, null, 2)}\n` };
}

/** The keys of a package.json that a site sets. */
const ownManifest = z.looseObject({
  scripts: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type OwnManifest = z.infer<typeof ownManifest>;

/** A manifest with the scripts and the dependency of a site; existing entries stay. */
function completeManifest(folder: string, own: OwnManifest): object {
  return {
    ...MANIFEST,
    ...own,
    scripts: { ...MANIFEST.scripts, ...own.scripts },
    dependencies: { ...ownDependency(folder), ...own.dependencies },
  };
}

/**
 * A package.json that was there before the site.
 * @throws ERR_SCAFFOLD_NOT_EMPTY for one that npm could not read either.
 */
function readOwnManifest(file: string): OwnManifest {
  if (!existsSync(file)) return ownManifest.parse({});
  const data = parseJson(readFileSync(file, "utf8"));
  const read = ownManifest.safeParse(data);
  if (isRecord(data) && read.success) return read.data;
  throw renderFailure(
    "ERR_SCAFFOLD_NOT_EMPTY",
    `${JSON.stringify(file)} is not a package.json that npm can read`,
    { fix: "correct or delete it", exitCode: 2 },
  );
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
