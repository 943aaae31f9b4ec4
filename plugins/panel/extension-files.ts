import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import {
  expectFields,
  expectKind,
  SiteError,
  type Contribution,
  type ExtensionList,
} from "#kernel";
import { sha256 } from "#kernel/internal";
import type { AdminAsset } from "../admin/contract.js";
import type { PanelExtensionFile } from "./contract.js";

/** The check of the extension list. */
export const isExtensionFile = expectFields({
  file: (file) => (file instanceof URL ? null : expectKind("string")(file)),
});

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

  /** In the order of the plugins. @throws ERR_PANEL_EXTENSION naming plugin and file. */
  entries(): Promise<ExtensionEntry[]> {
    return Promise.all(
      this.#list.all.map(async (contribution) => {
        const { plugin } = contribution;
        const path = pathOf(contribution);
        return { plugin, file: basename(path), src: nameOf(plugin, await read(plugin, path)) };
      }),
    );
  }

  /** A file by its name; null when it does not exist, or has changed. */
  async find(name: string): Promise<AdminAsset | null> {
    for (const contribution of this.#list.all) {
      const { plugin } = contribution;
      if (!name.startsWith(`${plain(plugin)}-`)) continue;
      const body = await read(plugin, pathOf(contribution));
      if (nameOf(plugin, body) === name) return { type: "text/javascript; charset=utf-8", body };
    }
    return null;
  }
}

function pathOf({ value: { file } }: Contribution<PanelExtensionFile>): string {
  return file instanceof URL || file.startsWith("file:") ? fileURLToPath(file) : file;
}

async function read(plugin: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new SiteError(
      "ERR_PANEL_EXTENSION",
      `plugin ${JSON.stringify(plugin)} extends the panel with ${JSON.stringify(path)}, which cannot be read`,
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
