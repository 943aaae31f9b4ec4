import type { Env } from "../../contracts.js";
import { ConfigError } from "../problem.js";

/** Variable name to value, as in `process.env`. */
export type Variables = Readonly<Record<string, string | undefined>>;

const REFERENCE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/;

/** The variable name if the whole text is `$NAME` or `${NAME}`, else null. */
export function variableName(value: string): string | null {
  const match = REFERENCE.exec(value);
  return match?.[1] ?? match?.[2] ?? null;
}

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
  const found = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && names.test(name) ? [[name, value] as const] : [],
  );
  return Object.fromEntries(found);
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
