import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot, runningFile, runsSources } from "#lib/packages";
import type { AdminAsset } from "../admin/contract.js";

/** The files that the document names; their names hold a digest. */
export interface ClientEntries {
  readonly script: string;
  readonly style: string;
}
type Texts = ReadonlyMap<string, string>;

/** The compiled browser code: read from the package, or compiled when the sources run. */
export class ClientFiles {
  // No cache: the files never change while the program runs.
  #texts: Promise<Texts> | null = null;

  /** Names of the entry script and style sheet. */
  async entries(): Promise<ClientEntries> {
    const names = [...(await this.#load()).keys()];
    const named = (pattern: RegExp): string => names.find((name) => pattern.test(name)) ?? "";
    return { script: named(/^main-.*\.js$/), style: named(/^main-.*\.css$/) };
  }

  /** A file by its name; null when it does not exist. */
  async find(name: string): Promise<AdminAsset | null> {
    const body = (await this.#load()).get(name);
    if (body === undefined) return null;
    const type = name.endsWith(".css") ? "text/css" : "text/javascript";
    return { type: `${type}; charset=utf-8`, body };
  }

  #load(): Promise<Texts> {
    this.#texts ??= runsSources() ? compile() : read();
    return this.#texts;
  }
}

async function read(): Promise<Texts> {
  const folder = runningFile("plugins/panel/client");
  const names = await readdir(folder);
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]);
  return new Map((await Promise.all(texts)) as [string, string][]);
}

interface Compiler {
  compilePanelClient(root: string): Promise<{ path: string; text: string }[]>;
}

async function compile(): Promise<Texts> {
  const script = pathToFileURL(join(packageRoot(), "scripts/panel-client.mjs")).href;
  const compiler: Compiler = await import(script);
  const files = await compiler.compilePanelClient(packageRoot());
  return new Map(files.map(({ path, text }) => [basename(path), text]));
}
