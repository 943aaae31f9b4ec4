import {
  type Contribution,
  expectFields,
  type ExtensionList,
  type ExtensionRules,
  SiteError,
} from "#kernel";
import { packageRoot, runningFile, runsSources } from "#lib/packages";
import { sha256 } from "#lib/secrets";
import { readdir, readFile } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { AdminAsset } from "../admin/contract.js";
import type { PanelExtensionFile } from "./contract.js";

/** The files that the document names; their names hold a digest. */
export interface ClientEntries {
  readonly script: string;
  readonly style: string;
}
/** A text, and the same compressed with Brotli when the package is built. */
interface ClientFile {
  readonly text: string;
  readonly brotli?: Buffer;
}
type Files = ReadonlyMap<string, ClientFile>;

/** Ends the name of a file that is compressed with Brotli. */
const BROTLI = ".br";

/** The compiled browser code: read from the package, or compiled when the sources run. */
export class ClientFiles {
  // No cache: the files never change while the program runs.
  #files: Promise<Files> | null = null;

  /** Names of the entry script and style sheet. */
  async entries(): Promise<ClientEntries> {
    const names = [...(await this.#load()).keys()];
    const named = (pattern: RegExp): string => names.find((name) => pattern.test(name)) ?? "";
    return { script: named(/^main-.*\.js$/), style: named(/^main-.*\.css$/) };
  }

  /** A file by its name; null when it does not exist. */
  async find(name: string): Promise<AdminAsset | null> {
    const file = (await this.#load()).get(name);
    if (file === undefined) return null;
    const type = name.endsWith(".css") ? "text/css" : "text/javascript";
    return { type: `${type}; charset=utf-8`, body: file.text, brotli: file.brotli };
  }

  #load(): Promise<Files> {
    this.#files ??= runsSources() ? compile() : readCompiled();
    return this.#files;
  }
}

async function readCompiled(): Promise<Files> {
  const folder = runningFile("plugins/panel/client");
  const names = await readdir(folder);
  const files = names
    .filter((name) => !name.endsWith(BROTLI))
    .map(async (name): Promise<[string, ClientFile]> => {
      const text = await readFile(join(folder, name), "utf8");
      if (!names.includes(name + BROTLI)) return [name, { text }];
      return [name, { text, brotli: await readFile(join(folder, name + BROTLI)) }];
    });
  return new Map(await Promise.all(files));
}

interface Compiler {
  compilePanelClient(root: string): Promise<{ path: string; text: string }[]>;
}

async function compile(): Promise<Files> {
  const script = pathToFileURL(join(packageRoot(), "scripts/panel-client.mjs")).href;
  const compiler: Compiler = await import(script);
  const files = await compiler.compilePanelClient(packageRoot());
  return new Map(files.map(({ path, text }) => [basename(path), { text }]));
}

/** Rules for what plugins add to `panelExtensions`. */
export const EXTENSION_FILE_RULES: ExtensionRules = {
  check: expectFields({ file: fileProblem }),
  fix: 'add a file of the plugin: { file: new URL("./panel.js", import.meta.url) }',
};

function fileProblem(file: unknown): string | null {
  const text = file instanceof URL ? file.href : file;
  const isFile = typeof text === "string" && (text.startsWith("file:") || isAbsolute(text));
  return isFile
    ? null
    : `expected a file: URL or an absolute path, received ${JSON.stringify(text) ?? "nothing"}`;
}

/** An extension as the document names it. */
export interface ExtensionEntry {
  readonly plugin: string;
  /** `panel.js`: for messages. */
  readonly file: string;
  /** Name of the file below `{admin.path}/assets/extensions/`; holds a digest. */
  readonly src: string;
}

/** The files of plugins that run in the panel. Read each time, so that an edited file needs no restart. */
export class ExtensionFiles {
  readonly #list: ExtensionList<PanelExtensionFile>;

  constructor(list: ExtensionList<PanelExtensionFile>) {
    this.#list = list;
  }

  /** Reads each file. @throws ERR_PANEL_EXTENSION naming plugin and file. */
  async assertReadable(): Promise<void> {
    await Promise.all(this.#list.all.map((contribution) => toEntry(contribution)));
  }

  /** Lists the files in the order of the plugins, without those that cannot be read at the moment. */
  async entries(): Promise<ExtensionEntry[]> {
    const entries = await Promise.all(
      this.#list.all.map((contribution) =>
        contribution.call<ExtensionEntry | null>(
          () => toEntry(contribution),
          () => null,
        ),
      ),
    );
    return entries.filter((entry) => entry !== null);
  }

  /** A file by its name; null when it does not exist, has changed, or cannot be read. */
  async find(name: string): Promise<AdminAsset | null> {
    for (const contribution of this.#list.all) {
      const { plugin } = contribution;
      if (!name.startsWith(`${plain(plugin)}-`)) continue;
      const body = await contribution.call<string | null>(
        () => readExtension(contribution),
        () => null,
      );
      if (body !== null && toAssetName(plugin, body) === name)
        return { type: "text/javascript; charset=utf-8", body };
    }
    return null;
  }
}

async function toEntry(contribution: Contribution<PanelExtensionFile>): Promise<ExtensionEntry> {
  const { plugin, value } = contribution;
  const body = await readExtension(contribution);
  return { plugin, file: basename(toText(value)), src: toAssetName(plugin, body) };
}

function toText({ file }: PanelExtensionFile): string {
  return file instanceof URL ? file.href : file;
}

async function readExtension({ plugin, value }: Contribution<PanelExtensionFile>): Promise<string> {
  const text = toText(value);
  try {
    return await readFile(text.startsWith("file:") ? fileURLToPath(text) : text, "utf8");
  } catch (cause) {
    throw new SiteError(
      "ERR_PANEL_EXTENSION",
      `plugin ${JSON.stringify(plugin)} extends the panel with ${JSON.stringify(text)}, which cannot be read`,
      { fix: "correct the path in extensions.add, and ship the file with the plugin", cause },
    );
  }
}

function toAssetName(plugin: string, body: string): string {
  const digest = sha256(body).slice(0, 10);
  return `${plain(plugin)}-${digest}.js`;
}

function plain(plugin: string): string {
  return plugin.replaceAll(/[^\w-]+/g, "-");
}
