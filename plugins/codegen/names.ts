import { codegenFailure } from "./errors.js";

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** The name, if it is valid as folder, configuration key and part of an identifier. @throws ERR_CODEGEN_NAME. */
export function checkName(name: string | undefined, kind: string): string {
  if (name !== undefined && name.length <= 60 && NAME.test(name)) return name;
  throw codegenFailure(
    "ERR_CODEGEN_NAME",
    `the ${kind} cannot be named ${JSON.stringify(name ?? "")}`,
    {
      fix: `write site codegen ${kind} my-${kind}: lower-case letters, digits and hyphens`,
    },
  );
}

/** `my-search` as `MySearch`, without characters that are invalid in an identifier. */
export function toTypeName(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[\p{L}_$]/u.test(joined) ? joined : `_${joined}`;
}

/** A property name in TypeScript, quoted if needed. */
export function toKey(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** A union of string literals; `never` without any. */
export function toUnion(values: readonly string[]): string {
  return values.length === 0 ? "never" : values.map((value) => JSON.stringify(value)).join(" | ");
}
