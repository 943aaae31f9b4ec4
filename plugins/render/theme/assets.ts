import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import mime from "mime-types";
import { sha256 } from "#lib/secrets";
import type { ThemeInfo } from "../contract.js";
import { encodePath } from "../page/url.js";

/** A theme's file, in memory. */
export interface Asset {
  readonly body: Buffer;
  readonly type: string;
  /** Prefix of the SHA-256 of its bytes. */
  readonly hash: string;
}

/** Files of the `static/` folders of a theme chain, read once, without links and dotfiles. */
export class ThemeAssets {
  readonly #byTheme: ReadonlyMap<string, ReadonlyMap<string, Asset>>;
  readonly #base: string;

  /** `chain`: the active theme first. `base`: where its files are served. */
  constructor(chain: readonly Pick<ThemeInfo, "name" | "folder">[], base = "/themes") {
    this.#base = base;
    this.#byTheme = new Map(
      chain.map((theme) => [theme.name, readAssets(join(theme.folder, "static"), "")]),
    );
  }

  /**
   * Address of a file with its hash, from the nearest theme that has it; without hash if the file
   * is missing.
   */
  url(path: string): string {
    const clean = path.replace(/^\/+/, "").replace(/^static\//, "");
    for (const [theme, assets] of this.#byTheme) {
      const asset = assets.get(clean);
      if (asset !== undefined)
        return `${this.#base}/${theme}/static${encodePath(`/${clean}`)}?v=${asset.hash}`;
    }
    const first = [...this.#byTheme.keys()][0] ?? "default";
    return `${this.#base}/${first}/static${encodePath(`/${clean}`)}`;
  }

  /** A file of a theme, or else of its parents; null when none has it. */
  get(theme: string, path: string): Asset | null {
    const assets = this.#byTheme.get(theme);
    return assets === undefined ? null : (assets.get(path) ?? this.nearest(path));
  }

  /** A file of the nearest theme that has it. */
  nearest(path: string): Asset | null {
    for (const assets of this.#byTheme.values()) {
      const asset = assets.get(path);
      if (asset !== undefined) return asset;
    }
    return null;
  }

  /** Theme name and path of every file, for a static export. */
  list(): readonly { theme: string; path: string }[] {
    return [...this.#byTheme].flatMap(([theme, assets]) =>
      [...assets.keys()].map((path) => ({ theme, path })),
    );
  }
}

/** Content type by file name, with charset for text. */
export function mediaType(path: string): string {
  return mime.contentType(path.slice(path.lastIndexOf("/") + 1)) || "application/octet-stream";
}

function readAssets(folder: string, prefix: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of listNames(folder)) {
    const file = join(folder, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) {
      for (const [path, asset] of readAssets(file, `${prefix}${name}/`)) assets.set(path, asset);
    } else if (stats?.isFile() === true) {
      assets.set(prefix + name, toAsset(readFileSync(file), name));
    }
  }
  return assets;
}

function toAsset(body: Buffer, name: string): Asset {
  const hash = sha256(body).slice(0, 12);
  return { body, type: mediaType(name), hash };
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}
