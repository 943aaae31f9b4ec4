/** The one schema of plain scalars: what a word without quotes means, in every file. */
import type { ScalarTag, Tags } from "yaml";

const NULLS: ReadonlySet<string> = new Set(["", "~", "null", "Null", "NULL"]);
const TRUES: ReadonlySet<string> = new Set(["true", "True", "TRUE"]);
const FALSES: ReadonlySet<string> = new Set(["false", "False", "FALSE"]);

const INTEGER = /^[-+]?(?:\d+|0o[0-7]+|0x[\da-fA-F]+)$/;
const FLOAT = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Fits in the 53 bits of a number. */
const RADIX = /^0(?:o[0-7]{1,15}|x[\da-fA-F]{1,13})$/;
const LEADING_ZERO = /^[-+]?0\d/;
/** Any decimal number of this many digits survives the way through a number. */
const SAFE_DIGITS = 15;
/** Numbers closer to zero have fewer digits. */
const MIN_NORMAL = 2 ** -1022;

/**
 * The number of a plain scalar; null for a text. A scalar that would lose characters as a number is a text:
 * leading zeros (`01234`), more than 15 digits (`1234567890123456789`), overflow (`1e999`), `.inf` and `.nan`.
 */
export function plainNumber(text: string): number | null {
  if (RADIX.test(text)) return Number(text);
  if (!FLOAT.test(text) || LEADING_ZERO.test(text)) return null;
  const value = Number(text);
  if (!Number.isFinite(value)) return null;
  const digits = text.replace(/e.*$/i, "").replace(/[-+.]/g, "").replace(/^0+/, "");
  if (digits === "") return value;
  if (digits.length <= SAFE_DIGITS && Math.abs(value) >= MIN_NORMAL) return value;
  // What a number is written as: it is read as the same number again.
  const isCanonical = text === String(value) || text === value.toExponential();
  return isCanonical && !INTEGER.test(text) ? value : null;
}

/** The value of a plain scalar: core schema, except for numbers that would lose characters. */
export function plainValue(text: string): string | number | boolean | null {
  if (NULLS.has(text)) return null;
  if (TRUES.has(text)) return true;
  if (FALSES.has(text)) return false;
  return plainNumber(text) ?? text;
}

const numberTag = (name: "int" | "float", test: RegExp): ScalarTag => ({
  tag: `tag:yaml.org,2002:${name}`,
  default: true,
  test,
  resolve: (text) => plainNumber(text) ?? text,
});

const NUMBERS: readonly ScalarTag[] = [numberTag("int", INTEGER), numberTag("float", FLOAT)];

/** Replaces the numbers of the core schema, for the option `customTags` of the package `yaml`. */
export function scalarTags(core: Tags): Tags {
  const others = core.filter((tag) => typeof tag === "string" || !/:(?:int|float)$/.test(tag.tag));
  return [...others, ...NUMBERS];
}
