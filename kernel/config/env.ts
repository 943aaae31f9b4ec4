import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { variableName } from "#lib/schema";
import type { Env } from "../contracts.js";
import { ConfigError } from "./problem.js";
import { optionError } from "../errors.js";

/** Variable name to value, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * An environment over `variables`, which are read at each call. `SITE_ENV` selects the mode, with
 * `mode` as default. @throws ERR_CONFIG_INVALID for a `SITE_ENV` other than `dev` and `production`.
 */
export function createEnv(variables: Variables, mode: Env["mode"] = "production"): Env {
  const get = (name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] || undefined : undefined;
  return {
    mode: parseMode(get("SITE_ENV"), mode),
    get,
    expand(value) {
      const name = variableName(value);
      return name === null ? value : get(name);
    },
  };
}

/** The environment of this process. */
export function processEnv(mode?: Env["mode"]): Env {
  return createEnv(process.env, mode);
}

/** The variables whose names match, for a child process that must not see the others. */
export function childVariables(names: RegExp): Record<string, string> {
  const matching = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && names.test(name) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(matching);
}

function parseMode(value: string | undefined, fallback: Env["mode"]): Env["mode"] {
  if (value === undefined) return fallback;
  if (value === "dev" || value === "production") return value;
  throw new ConfigError([
    {
      file: "environment",
      line: 1,
      column: 1,
      key: "SITE_ENV",
      received: value,
      expected: "`dev` or `production`",
      fix: value.startsWith("dev") ? "set SITE_ENV=dev" : "set SITE_ENV=production or unset it",
    },
  ]);
}

/** The option `--env-file` for the help of each command. */
export const ENV_FILE_OPTION = [
  "--env-file <file>",
  "read variables from a file; the environment takes precedence",
] as const;

/**
 * Reads the files named by `--env-file` into `variables`, by default the process's own. Variables that
 * are already set win; so does the first of several files.
 * @throws ERR_CLI_OPTION for a file that cannot be read, or a missing name.
 */
export function readEnvFiles(
  argv: readonly string[],
  variables: NodeJS.ProcessEnv = process.env,
): void {
  for (const file of listFiles(argv)) {
    for (const [name, value] of Object.entries(parse(file))) {
      if (value !== undefined) variables[name] ??= value;
    }
  }
}

function listFiles(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return words.flatMap((word, at) => {
    if (word.startsWith("--env-file=")) return [word.slice("--env-file=".length)];
    return word === "--env-file" ? [words[at + 1] ?? ""] : [];
  });
}

function parse(file: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw optionError(`--env-file ${JSON.stringify(file)} cannot be read${reason}`, {
      cause,
      fix: "pass a file with lines such as NAME=value",
    });
  }
}
