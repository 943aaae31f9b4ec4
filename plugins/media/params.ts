import { z } from "zod";
import { HttpError } from "#kernel";
import { withoutOrders } from "#lib/text";
import type { ImageFormat } from "./contract.js";
import { FITS, OUTPUT_FORMATS, type WantedVariant } from "./variants/variant.js";
import { parseFocal } from "./variants/focal-point.js";
import type { Generation } from "../content/contract.js";

/** Maximum side of a variant, in pixels. */
const LARGEST = 4096;
const NUMBER = /^[1-9]\d{0,3}$/;

const AUTO = "auto";
const ASKS_FOR_AUTO = /[?&]f(?:ormat)?=auto(?:&|$)/;
/** Formats that browsers name in `Accept`, the smaller one first. */
const NEGOTIATED = ["avif", "webp"] as const;

type Parameter = "width" | "height" | "quality" | "format" | "fit" | "focal";
// Any of these enables processing.
const ACTIVATING = ["width", "height", "quality", "format"] as const;
// Names and aliases.
const NAMES: ReadonlyMap<string, Parameter> = new Map<string, Parameter>([
  ["width", "width"],
  ["w", "width"],
  ["height", "height"],
  ["h", "height"],
  ["quality", "quality"],
  ["q", "quality"],
  ["format", "format"],
  ["f", "format"],
  ["fit", "fit"],
  ["focal", "focal"],
]);

/** The documented image parameters; `parseVariant` validates them. */
export function imageQuery(sizes: readonly number[], quality: number) {
  const side = { type: "integer", enum: sizes };
  const per: Readonly<Record<Parameter, Readonly<Record<string, unknown>>>> = {
    width: { ...side, description: "Width in pixels, one of images.allowed_sizes" },
    height: { ...side, description: "Height in pixels, one of images.allowed_sizes" },
    quality: { type: "integer", minimum: 1, maximum: 100, default: quality },
    format: {
      type: "string",
      enum: [...OUTPUT_FORMATS, AUTO],
      description: "Format of the variant; auto: AVIF or WebP if the `Accept` header has them",
    },
    fit: { type: "string", enum: FITS, default: "cover" },
    focal: { type: "string", description: "x,y in percent; anything else means the centre" },
  };
  const described = [...NAMES].map(([name, parameter]) => {
    const isAlias = name !== parameter;
    const schema = isAlias ? { ...per[parameter], description: `As ${parameter}` } : per[parameter];
    return [name, z.unknown().optional().meta(schema)] as const;
  });
  return z.looseObject(Object.fromEntries(described));
}

/**
 * The best format that an `Accept` header names, for an address with `format=auto`; null for the format of
 * the original, undefined for any other address.
 */
export function negotiatedFormat(
  url: string,
  accept: string | undefined,
): (typeof NEGOTIATED)[number] | null | undefined {
  if (!ASKS_FOR_AUTO.test(url)) return undefined;
  // `image/avif;q=0` is a refusal.
  const accepts = (format: string): boolean =>
    new RegExp(`image/${format}(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`, "i").test(accept ?? "");
  return NEGOTIATED.find(accepts) ?? null;
}

/**
 * Parses the image parameters of a query string; null when none of them requires processing. `auto`:
 * the format that stands for `format=auto`. Ignores an invalid `focal`.
 * @throws HttpError 400 that names the parameter.
 */
export function parseVariant(
  search: string,
  allowedSizes: readonly number[],
  auto: ImageFormat | null = null,
): WantedVariant | null {
  if (search === "") return null;
  const values = readParameters(new URLSearchParams(search));
  if (!ACTIVATING.some((name) => values.has(name))) return null;
  return {
    width: parseSide("width", values.get("width"), allowedSizes),
    height: parseSide("height", values.get("height"), allowedSizes),
    quality: parseQuality(values.get("quality")),
    format: parseFormat(values.get("format"), auto),
    fit: parseChoice("fit", values.get("fit"), FITS),
    focal: parseFocal(values.get("focal")),
  };
}

/** Maps names to their single value; equal values under name and alias count as one. */
function readParameters(query: URLSearchParams): Map<Parameter, string> {
  const values = new Map<Parameter, string>();
  for (const [key, value] of query) {
    const name = parseName(key);
    if (name === null) continue;
    const before = values.get(name);
    if (before !== undefined && before !== value) {
      throw refuse(name, `given as ${JSON.stringify(before)} and ${JSON.stringify(value)}`);
    }
    values.set(name, value);
  }
  return values;
}

function parseName(key: string): Parameter | null {
  const bracket = key.indexOf("[");
  const base = bracket === -1 ? key : key.slice(0, bracket);
  const name = NAMES.get(base);
  if (name === undefined) return null;
  if (bracket !== -1) throw refuse(name, `${JSON.stringify(key)} is a list, expected one value`);
  return name;
}

function parseSide(
  name: "width" | "height",
  value: string | undefined,
  allowed: readonly number[],
): number | null {
  if (value === undefined) return null;
  const side = NUMBER.test(value) ? Number(value) : 0;
  if (side <= LARGEST && allowed.includes(side)) return side;
  throw refuse(name, `${shown(value)} is not an allowed size; allowed: ${allowed.join(", ")}`);
}

function parseQuality(value: string | undefined): number | null {
  if (value === undefined) return null;
  const quality = NUMBER.test(value) ? Number(value) : 0;
  if (quality >= 1 && quality <= 100) return quality;
  throw refuse("quality", `${shown(value)} is not a whole number from 1 to 100`);
}

function parseFormat(value: string | undefined, auto: ImageFormat | null): ImageFormat | null {
  const choice = parseChoice("format", value, [...OUTPUT_FORMATS, AUTO] as const);
  return choice === AUTO ? auto : choice;
}

function parseChoice<T extends string>(
  name: Parameter,
  value: string | undefined,
  choices: readonly T[],
): T | null {
  if (value === undefined) return null;
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw refuse(name, `${shown(value)} is unknown; allowed: ${choices.join(", ")}`);
}

function shown(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}

function refuse(parameter: string, message: string): HttpError {
  return new HttpError(400, `${parameter}: ${message}`, {
    code: "ERR_MEDIA_PARAMETER",
    details: [{ parameter, message }],
  });
}

/** A file of a folder below the content folder. */
export interface MediaPath {
  readonly folder: string;
  readonly name: string;
}

/** Splits a decoded path without leading slash; null for invalid paths. */
export function splitMediaPath(path: string): MediaPath | null {
  const segments = path.split("/");
  const name = segments.pop() ?? "";
  return [...segments, name].every(isName) ? { folder: segments.join("/"), name } : null;
}

function isName(segment: string): boolean {
  return segment !== "" && !segment.startsWith(".") && !/[\\\u0000-\u001f\u007f]/.test(segment);
}

/** Maps folder names without order number to names on disk: `blog` to `02.blog`. */
export class FolderNames {
  readonly #generation: () => Generation;
  #map: ReadonlyMap<string, string> = new Map();
  #id = -1;

  constructor(generation: () => Generation) {
    this.#generation = generation;
  }

  /** The folder on disk for a clean name; null when no part of it is known. */
  literal(folder: string): string | null {
    const map = this.#current();
    const segments = folder.normalize("NFC").split("/");
    let [clean, known]: [string, string | null] = ["", null];
    for (const [at, segment] of segments.entries()) {
      clean = at === 0 ? segment : `${clean}/${segment}`;
      const deeper = map.get(clean);
      // All ancestors of a known folder are known, so the rest of the path has no clean names.
      if (deeper === undefined) return known && [known, ...segments.slice(at)].join("/");
      known = deeper;
    }
    return known;
  }

  #current(): ReadonlyMap<string, string> {
    const { id, entries } = this.#generation();
    if (id !== this.#id) {
      this.#map = cleanFolders(entries.map((entry) => entry.folder));
      this.#id = id;
    }
    return this.#map;
  }
}

/** Clean name to literal name, for folders and their ancestors; the first of two wins. */
function cleanFolders(folders: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (const folder of folders) {
    const segments = folder === "" ? [] : folder.split("/");
    for (let count = segments.length; count > 0; count -= 1) {
      const literal = segments.slice(0, count).join("/");
      const clean = withoutOrders(literal).normalize("NFC");
      if (map.has(clean)) break;
      map.set(clean, literal);
    }
  }
  return map;
}
