import { isRecord, mergeValues, valueAt, type KeyPath } from "#lib/values";
import type { Position } from "#lib/yaml";
import type { ConfigFile } from "../contracts.js";

/** Values from one source for one of the three files; later layers win. */
export interface ConfigLayer {
  /** The file that defines these keys. */
  readonly target: ConfigFile;
  /** Their source: a file relative to the site root, `command line` or `environment`. */
  readonly file: string;
  /** Path of these values in that file: `["admin"]` for a block in site.yaml. */
  readonly prefix: KeyPath;
  readonly data: Readonly<Record<string, unknown>>;
  /** The same values with numbers and booleans as written in the file; absent when the values are not from a file. */
  readonly texts?: Readonly<Record<string, unknown>>;
  position(path: KeyPath): Position | undefined;
}

/** The source of a value, and its full key there. */
export interface ValueSource extends Position {
  file: string;
  path: KeyPath;
}

/** The merged texts of layers. */
export function mergeTexts(layers: readonly ConfigLayer[]): Record<string, unknown> {
  return mergeLayers(layers.map((layer) => ({ ...layer, data: layer.texts ?? layer.data })));
}

/** The merged layers of one file. */
export function mergeLayers(layers: readonly ConfigLayer[]): Record<string, unknown> {
  const merged = layers.reduce<unknown>((below, layer) => mergeValues(below, layer.data), {});
  return isRecord(merged) ? merged : {};
}

/**
 * Finds where the value at `path` was set: in the last layer that has it. For a missing key: its nearest parent,
 * else the top of the file.
 */
export function locate(
  layers: readonly ConfigLayer[],
  target: ConfigFile,
  path: KeyPath,
): ValueSource {
  for (let length = path.length; length > 0; length -= 1) {
    const layer = layers.findLast(
      (candidate) => valueAt(candidate.data, path.slice(0, length)) !== undefined,
    );
    if (layer) return locateIn(layer, path, length);
  }
  const first = layers.find(
    (layer) => layer.file !== "environment" && layer.file !== "command line",
  );
  return first ? locateIn(first, path, 0) : { file: `${target}.yaml`, line: 1, column: 1, path };
}

/** Finds where the value at `path` itself was set; undefined for a default. */
export function findSource(layers: readonly ConfigLayer[], path: KeyPath): ValueSource | undefined {
  const layer = layers.findLast((candidate) => valueAt(candidate.data, path) !== undefined);
  return layer && locateIn(layer, path, path.length);
}

function locateIn(layer: ConfigLayer, path: KeyPath, length: number): ValueSource {
  const full = [...layer.prefix, ...path];
  const position = layer.position([...layer.prefix, ...path.slice(0, length)]) ?? {
    line: 1,
    column: 1,
  };
  return { file: layer.file, ...position, path: full };
}
