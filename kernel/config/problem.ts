import type { ConfigIssue } from "../contracts.js";
import { SiteError } from "../errors.js";

/** A place in a configuration file: keys of mappings and indexes of lists. */
export type KeyPath = readonly (string | number)[];

/** One thing wrong with the configuration, as `config:validate` prints it. */
export type ConfigProblem = ConfigIssue;

/** ERR_CONFIG_INVALID: the configuration cannot be used; `problems` holds everything wrong with it. */
export class ConfigError extends SiteError {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    super("ERR_CONFIG_INVALID", `${count} in the configuration\n${formatProblems(problems)}`, {
      details: problems,
    });
    this.problems = problems;
  }
}

/** One line: `file:line:column  key  received  expected  fix`. */
export function formatProblem(problem: ConfigProblem): string {
  const place = `${problem.file}:${problem.line}:${problem.column}`;
  const received = `received ${formatReceived(problem.received)}`;
  const expected = `expected ${problem.expected}`;
  return [place, problem.key || "(file)", received, expected, problem.fix].map(oneLine).join("  ");
}

/** All of them, a line each. */
export function formatProblems(problems: readonly ConfigProblem[]): string {
  return problems.map(formatProblem).join("\n");
}

/** `a.b[0].c`. */
export function formatKey(path: KeyPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}

const MAX_RECEIVED = 120;

function formatReceived(value: unknown): string {
  if (value === undefined) return "nothing";
  const json = JSON.stringify(value) ?? String(value);
  return json.length > MAX_RECEIVED ? `${json.slice(0, MAX_RECEIVED)}…` : json;
}

/** Text from a file may hold anything; a problem stays on its line. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ");
}
