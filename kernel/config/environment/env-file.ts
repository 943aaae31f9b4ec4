import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { optionError } from "../../errors.js";

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
  for (const file of filesOf(argv)) {
    for (const [name, value] of Object.entries(parse(file))) {
      if (value !== undefined) variables[name] ??= value;
    }
  }
}

function filesOf(argv: readonly string[]): string[] {
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
