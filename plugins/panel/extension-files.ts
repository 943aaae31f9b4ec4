import { readFile } from "node:fs/promises";
import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import {
  expectFields,
  SiteError,
  type Contribution,
  type ExtensionList,
  type ExtensionRules,
} from "#kernel";
import { sha256 } from "#lib/secrets";
import type { AdminAsset } from "../admin/contract.js";
import type { PanelExtensionFile } from "./contract.js";

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
    await Promise.all(this.#list.all.map((contribution) => entryOf(contribution)));
  }

  /** Lists the files in the order of the plugins, without those that cannot be read at the moment. */
  async entries(): Promise<ExtensionEntry[]> {
    const entries = await Promise.all(
      this.#list.all.map((contribution) =>
        contribution.call<ExtensionEntry | null>(
          () => entryOf(contribution),
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
        () => read(contribution),
        () => null,
      );
      if (body !== null && nameOf(plugin, body) === name)
        return { type: "text/javascript; charset=utf-8", body };
    }
    return null;
  }
}

async function entryOf(contribution: Contribution<PanelExtensionFile>): Promise<ExtensionEntry> {
  const { plugin, value } = contribution;
  const body = await read(contribution);
  return { plugin, file: basename(textOf(value)), src: nameOf(plugin, body) };
}

function textOf({ file }: PanelExtensionFile): string {
  return file instanceof URL ? file.href : file;
}

async function read({ plugin, value }: Contribution<PanelExtensionFile>): Promise<string> {
  const text = textOf(value);
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

function nameOf(plugin: string, body: string): string {
  const digest = sha256(body).slice(0, 10);
  return `${plain(plugin)}-${digest}.js`;
}

function plain(plugin: string): string {
  return plugin.replaceAll(/[^\w-]+/g, "-");
}
